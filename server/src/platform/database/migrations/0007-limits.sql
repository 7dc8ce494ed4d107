-- What an operator has set for a workspace instead of the installation's settings. Null: as the settings say; 0: no limit.
create table workspace_limit (
  workspace_id uuid primary key references workspace,
  requests_per_second integer check (requests_per_second >= 0),
  imports_per_second integer check (imports_per_second >= 0),
  uploads_at_once integer check (uploads_at_once >= 0),
  calls_per_day bigint check (calls_per_day >= 0),
  stored_bytes bigint check (stored_bytes >= 0)
);

-- The same for one key. A table of its own: running code has prepared "select *" from what api_key looks like.
create table api_key_limit (
  workspace_id uuid not null,
  key_id uuid not null,
  requests_per_second integer check (requests_per_second >= 0),
  uploads_at_once integer check (uploads_at_once >= 0),
  primary key (workspace_id, key_id),
  foreign key (workspace_id, key_id) references api_key
);

-- What a workspace with a quota has stored. Each API process adds what it imported once a second, so that imports never
-- wait for one another here; counted anew every hour.
create table workspace_usage (
  workspace_id uuid primary key references workspace,
  calls bigint not null,
  bytes bigint not null,
  -- The day (UTC) that day_calls is about.
  day timestamptz not null,
  day_calls bigint not null
);

-- What is removed makes room at once.
create function uncount_removed_calls() returns trigger
  language plpgsql as $$
begin
  update workspace_usage as usage
  set calls = greatest(0, usage.calls - gone.calls), bytes = greatest(0, usage.bytes - gone.bytes)
  from (select workspace_id, count(*) as calls, sum(recording_bytes) as bytes from removed group by 1) as gone
  where usage.workspace_id = gone.workspace_id;
  return null;
end $$;
create trigger uncount_removed_calls after delete on call
  referencing old table as removed for each statement execute function uncount_removed_calls();

-- The last turn given to each workspace in each queue, while it is ahead of the turn that is served. Ids only.
create table job_turn (
  name text not null,
  workspace_id uuid not null,
  turn integer not null,
  primary key (name, workspace_id)
);

do $$
declare guarded text;
begin
  foreach guarded in array array['workspace_limit', 'api_key_limit', 'workspace_usage'] loop
    execute format('alter table %I enable row level security', guarded);
    execute format('alter table %I force row level security', guarded);
    execute format('create policy own_workspace on %I using (workspace_id = current_workspace())', guarded);
  end loop;
end $$;

grant select, insert, update on workspace_limit, api_key_limit, workspace_usage to hearback_service;
grant select, insert, update, delete on job_turn to hearback_service;
