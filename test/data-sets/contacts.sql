-- $1 owner, or null for fifty others; $2 how many; $3 number of the first; $4 rows of people, each
-- with the keys that a written contact has.
INSERT INTO contacts
  (id, owner_id, uid, merged_uids, name, name_parts, aliases, organization, emails, phones,
   addresses, urls, groups, extra, version, created_at, updated_at,
   sort_key, name_text, search_text, identity_keys, search_keys)
SELECT 'con_' || lpad(n::text, 26, '0'), COALESCE($1, 'usr_other' || n % 50), 'uid' || n, '{}',
       row.one ->> 'name', row.one -> 'nameParts', '{}', row.one ->> 'organization',
       row.one -> 'emails', row.one -> 'phones', '[]', '[]',
       ARRAY(SELECT jsonb_array_elements_text(row.one -> 'groups')), '[]', 1, now(), now(),
       row.one ->> 'sortKey', row.one ->> 'nameText', row.one ->> 'searchText',
       ARRAY(SELECT jsonb_array_elements_text(row.one -> 'identityKeys')),
       ARRAY(SELECT jsonb_array_elements_text(row.one -> 'searchKeys'))
  FROM generate_series($3::int, $3::int + $2::int - 1) n,
       LATERAL (SELECT $4::jsonb -> (n % jsonb_array_length($4::jsonb))::int) row (one)
