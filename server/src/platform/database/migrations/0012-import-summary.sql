-- Imports that were refused, by the hour, so that a day in any zone can be made of them (zones apart by half an hour: to
-- the half hour). Each API process adds what it refused every few seconds. Codes, campaigns and numbers; nothing of what
-- was sent. What came in is counted from the calls themselves, by call_by_import_day.
create table import_refusal (
  workspace_id uuid not null references workspace,
  hour timestamptz not null,
  code text not null,
  -- Null: the request did not come to name one, or one that is not there.
  campaign_id text,
  count bigint not null,
  unique nulls not distinct (workspace_id, hour, code, campaign_id),
  foreign key (workspace_id, campaign_id) references campaign
);
alter table import_refusal enable row level security;
alter table import_refusal force row level security;
create policy own_workspace on import_refusal using (workspace_id = current_workspace());
grant select, insert, update, delete on import_refusal to hearback_service;
