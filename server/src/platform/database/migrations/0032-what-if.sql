set local lock_timeout = '2s';

-- A run that replays the reviews of a period on a changed scorecard. Deleted after 30 days.
create table what_if (
  workspace_id uuid not null,
  -- Ordered by time (UUIDv7).
  id uuid not null,
  scorecard_id uuid not null,
  -- The published version that the changed document is compared with: the latest when the run was requested.
  version integer not null,
  -- Null: the document was sent with the request.
  draft_number integer,
  -- SHA-256 of the canonical JSON of the changed document.
  digest bytea not null check (octet_length(digest) = 32),
  -- The changed document. Null once the run has ended.
  document jsonb check (octet_length(document::text) <= 1000000),
  -- Reviews that were started in this period.
  period_from timestamptz not null,
  period_to timestamptz not null check (period_to > period_from),
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  -- Reviews to replay, at most the limit. Null: not counted yet.
  reviews integer,
  -- False: there are more reviews than the limit, and the newest are replayed.
  complete boolean not null default true,
  replayed integer not null default 0,
  -- Of the replayed ones, those on an older version of the scorecard.
  older_versions integer not null default 0,
  -- The last replayed review, and the sums so far. Null: none.
  position uuid,
  sums jsonb,
  -- What would change. Contains ids of reviews, and of no other things.
  result jsonb,
  requested_by_type text not null check (requested_by_type in ('key', 'user')),
  requested_by_id uuid not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, scorecard_id, version) references scorecard_version,
  check ((state = 'done') = (result is not null)),
  check ((state in ('queued', 'running')) = (ended_at is null)),
  check ((document is null) = (ended_at is not null))
);
-- GET /scorecards/{id}/what-if, the runs of a scorecard that have not ended, and the foreign key.
create index what_if_by_scorecard on what_if (workspace_id, scorecard_id, id);

alter table what_if enable row level security;
alter table what_if force row level security;
create policy own_workspace on what_if using (workspace_id = current_workspace());
grant select, insert, update, delete on what_if to hearback_service;
