-- migrate: no transaction
-- Finding calls. The day on which a call was imported (UTC), beside created_at: an expression could not be an index
-- condition under row-level security, for its functions are not leakproof.
alter table call add column if not exists imported_on date not null default (now() at time zone 'UTC')::date;

-- The calls that are there already, 5,000 at a time, each batch committed by itself. Row-level security is forced on the
-- owner as well: the batches of a workspace are written in its name. A repeated run reads everything and changes the rest.
do $$
declare
  workspace_of uuid;
  after_id uuid;
  last_id uuid;
begin
  for workspace_of in select id from workspace order by id loop
    after_id := '00000000-0000-0000-0000-000000000000';
    loop
      perform set_config('hearback.workspace', workspace_of::text, true);
      select batch.id into last_id from (
        select id from call where workspace_id = workspace_of and id > after_id order by id limit 5000
      ) as batch order by batch.id desc limit 1;
      exit when last_id is null;
      update call set imported_on = (created_at at time zone 'UTC')::date
        where workspace_id = workspace_of and id > after_id and id <= last_id
          and imported_on <> (created_at at time zone 'UTC')::date;
      commit;
      after_id := last_id;
    end loop;
  end loop;
end $$;

-- What was imported on a day, newest conversation first.
create index concurrently if not exists call_by_import_day on call (workspace_id, imported_on, id);
-- The rare ends of durations; what lies between is frequent enough to be met on the way (calls/search-drivers.ts).
create index concurrently if not exists call_long on call (workspace_id, id) where duration_ms >= 1800000;
create index concurrently if not exists call_short on call (workspace_id, id) where duration_ms <= 10000;
