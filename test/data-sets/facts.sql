-- $1 user, or null for fifty others; $2 how many; $3 number of the first; $4 [{text, terms}].
-- Each 4th has a key, each 500th is about the person in general, each 9th has expired.
WITH fact AS (
  INSERT INTO memory_facts
    (id, user_id, key, text, fingerprint, search, standing, source, confidence, version,
     expires_at, held_from, created_at, updated_at)
  SELECT 'mem_' || lpad(n::text, 26, '0'), COALESCE($1, 'usr_other' || n % 50),
         CASE WHEN n % 4 = 0 THEN 'key.' || n % 5000 END,
         text.entry ->> 'text', 'f' || n % 15000,
         array_to_tsvector(ARRAY(SELECT jsonb_array_elements_text(text.entry -> 'terms'))),
         n % 500 = 0, 'imported', 0.8, 1,
         CASE WHEN n % 9 = 0 THEN said.at + interval '1 day' END, said.at, said.at, said.at
    FROM generate_series($3::int, $3::int + $2::int - 1) n,
         LATERAL (SELECT timestamptz '2025-01-01Z' + (n - $3) * interval '1 minute') said (at),
         LATERAL (SELECT $4::jsonb -> (n % jsonb_array_length($4::jsonb))::int) text (entry)
  RETURNING *
)
INSERT INTO memory_history
  (fact_id, version, user_id, key, text, source, confidence, held_from, held_until, reason)
SELECT id, 1, user_id, key, text, source, confidence, held_from - interval '1 day', held_from,
       'superseded'
  FROM fact
