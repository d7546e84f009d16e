-- $1 owner, or null for fifty others; $2 how many; $3 number of the first; $4 [{title, text, grams}].
-- One every two hours, the last in a hundred days; each 50th all-day, each 200th a series of weeks.
INSERT INTO calendar_events
  (id, uid, owner_id, title, all_day, start_at, end_at, start_date, end_date, timezone, rrule,
   expanded, recurs_until, version, created_at, updated_at, search_text, search_grams)
SELECT 'evt_' || lpad(n::text, 26, '0'), 'uid' || n, COALESCE($1, 'usr_other' || n % 50),
       text.entry ->> 'title', kind.all_day,
       CASE WHEN NOT kind.all_day THEN begins.at END,
       CASE WHEN NOT kind.all_day THEN begins.at + interval '1 hour' END,
       CASE WHEN kind.all_day THEN begins.at::date END,
       CASE WHEN kind.all_day THEN begins.at::date END,
       'Asia/Shanghai',
       CASE WHEN kind.series THEN 'FREQ=WEEKLY' END, kind.series,
       CASE WHEN kind.series THEN begins.at + interval '60 days' END,
       1, begins.at, begins.at, text.entry ->> 'text',
       ARRAY(SELECT jsonb_array_elements_text(text.entry -> 'grams'))
  FROM generate_series($3::int, $3::int + $2::int - 1) n,
       LATERAL (SELECT date_trunc('hour', now()) + interval '100 days' - ($3 + $2 - n) * interval '2 hours') begins (at),
       LATERAL (SELECT n % 50 = 7, n % 200 = 3) kind (all_day, series),
       LATERAL (SELECT $4::jsonb -> (n % jsonb_array_length($4::jsonb))::int) text (entry)
