set local lock_timeout = '2s';

-- A form. Its published states are in scorecard_version; the draft is the next one.
create table scorecard (
  workspace_id uuid not null references workspace,
  -- Ordered by time (UUIDv7).
  id uuid not null,
  -- Of the latest version; before the first one, of the draft.
  name text not null check (char_length(name) between 1 and 120),
  -- May be incomplete: only a document without errors can be published.
  draft jsonb check (octet_length(draft::text) <= 1000000),
  -- ETag of the draft.
  draft_number integer not null default 1,
  draft_changed_at timestamptz,
  -- Null: never published.
  latest_version integer,
  retired_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- A published state. Reviews refer to it, so it never changes.
create table scorecard_version (
  workspace_id uuid not null,
  scorecard_id uuid not null,
  version integer not null check (version > 0),
  document jsonb not null,
  -- SHA-256 of the canonical JSON (RFC 8785) of the document.
  digest bytea not null check (octet_length(digest) = 32),
  published_by_type text not null check (published_by_type in ('key', 'user', 'operator', 'system')),
  published_by_id uuid,
  published_at timestamptz not null default now(),
  primary key (workspace_id, scorecard_id, version),
  foreign key (workspace_id, scorecard_id) references scorecard
);

-- The campaigns whose calls a scorecard is for. None: all campaigns.
create table scorecard_campaign (
  workspace_id uuid not null,
  scorecard_id uuid not null,
  campaign_id text not null,
  primary key (workspace_id, scorecard_id, campaign_id),
  foreign key (workspace_id, scorecard_id) references scorecard,
  foreign key (workspace_id, campaign_id) references campaign
);
create index scorecard_campaign_by_campaign on scorecard_campaign (workspace_id, campaign_id);

-- The users who decide disputes about reviews on a scorecard. None: all supervisors and administrators.
create table scorecard_arbiter (
  workspace_id uuid not null,
  scorecard_id uuid not null,
  user_id uuid not null,
  primary key (workspace_id, scorecard_id, user_id),
  foreign key (workspace_id, scorecard_id) references scorecard,
  foreign key (workspace_id, user_id) references app_user on delete cascade
);
create index scorecard_arbiter_by_user on scorecard_arbiter (workspace_id, user_id);

do $$
declare guarded text;
begin
  foreach guarded in array array['scorecard', 'scorecard_version', 'scorecard_campaign', 'scorecard_arbiter'] loop
    execute format('alter table %I enable row level security', guarded);
    execute format('alter table %I force row level security', guarded);
    execute format('create policy own_workspace on %I using (workspace_id = current_workspace())', guarded);
  end loop;
end $$;

grant select, insert, update, delete on scorecard_campaign, scorecard_arbiter to hearback_service;
grant select, insert, update on scorecard to hearback_service;
-- Neither update nor delete: a published version never changes.
grant select, insert on scorecard_version to hearback_service;

-- Last, because key authentication waits for it. Validated by a scan of a small table: a workspace has at most some hundred keys.
alter table api_key drop constraint api_key_scopes_check;
alter table api_key add constraint api_key_scopes_check
  check (scopes <@ array['import', 'read', 'review', 'manage'] and cardinality(scopes) > 0);
