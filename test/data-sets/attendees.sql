-- $1 owner of events; $2 who is invited to each 20th of them, having answered each but the last.
-- Somebody who is no user stands on every event of everybody.
INSERT INTO calendar_attendees (event_id, position, user_id, name, email, permission, status, invited_at)
SELECT id, 0, NULL, 'Colleague', 'colleague' || right(id, 3) || '@example.com', 'view', 'listed', NULL
  FROM calendar_events
UNION ALL
SELECT id, 1, $2, 'Guest', $2 || '@example.com', 'view',
       CASE WHEN right(id, 3) = '000' THEN 'pending' ELSE 'accepted' END, created_at
  FROM calendar_events
 WHERE owner_id = $1 AND right(id, 2) IN ('00', '20', '40', '60', '80')
