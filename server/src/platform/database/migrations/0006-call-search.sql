-- Finding calls. The day on which a call was imported (UTC), beside created_at: an expression could not be an index
-- condition under row-level security, for its functions are not leakproof.
alter table call add column imported_on date not null default (now() at time zone 'UTC')::date;
-- The calls that are there already. Forced, row-level security holds the owner, too, who can see none of them.
alter table call no force row level security;
update call set imported_on = (created_at at time zone 'UTC')::date
  where imported_on <> (created_at at time zone 'UTC')::date;
alter table call force row level security;

-- What was imported on a day, newest conversation first.
create index call_by_import_day on call (workspace_id, imported_on, id);
-- The rare ends of durations; what lies between is frequent enough to be met on the way (calls/search-drivers.ts).
create index call_long on call (workspace_id, id) where duration_ms >= 1800000;
create index call_short on call (workspace_id, id) where duration_ms <= 10000;
