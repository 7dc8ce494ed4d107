-- How many days after the conversation a call is kept. Null: until somebody erases it.
alter table campaign add column retention_days integer check (retention_days between 1 and 36500);

-- When everything of it was erased. The row stays, as the place of its audit log.
alter table workspace add column erased_at timestamptz;

-- Calls that were erased on request: an import that brings one again is answered and not stored. Ids alone.
create table erased_call (
  workspace_id uuid not null references workspace,
  id uuid not null,
  primary key (workspace_id, id)
);

-- Called at the end of the statement that writes a call. It is volatile, so it sees what was committed after that
-- statement began: an import that waited for an erasure must not bring back what was erased.
create function refuse_erased_call(workspace uuid, call uuid) returns boolean
  language plpgsql as $$
begin
  if exists (select from erased_call where workspace_id = workspace and id = call) then
    raise exception 'the call was erased' using errcode = 'HB002';
  end if;
  return true;
end $$;

-- Agents that were erased: a digest of the address, and the id. Who is created again with that address gets that id, and
-- so their erased calls are known again when somebody sends them.
create table erased_agent (
  workspace_id uuid not null references workspace,
  digest bytea not null check (octet_length(digest) = 32),
  user_id uuid not null,
  primary key (workspace_id, digest)
);

-- Something that must not be erased while a dispute lasts.
create table legal_hold (
  workspace_id uuid not null references workspace,
  -- Ordered by time (UUIDv7).
  id uuid not null,
  subject_type text not null check (subject_type in ('call', 'agent', 'campaign')),
  subject_id text not null check (char_length(subject_id) between 1 and 100),
  -- What a person wrote; taken away when its subject is erased.
  reason text not null check (char_length(reason) <= 500),
  created_by_type text not null,
  created_by_id uuid,
  created_at timestamptz not null default now(),
  released_by_type text,
  released_by_id uuid,
  released_at timestamptz,
  primary key (workspace_id, id)
);
-- Whether something is held: asked for every call that is about to be erased.
create index legal_hold_active on legal_hold (workspace_id, subject_type, subject_id) where released_at is null;

-- One erasure: of a call, of an agent with all calls, of the calls with a metadata entry, of what outlived its campaign's
-- retention, of a whole workspace. What it was about is named by ids; of a metadata entry nothing remains when it is done.
create table erasure (
  workspace_id uuid not null references workspace,
  -- Ordered by time (UUIDv7).
  id uuid not null,
  kind text not null check (kind in ('call', 'agent', 'metadata', 'retention', 'workspace')),
  state text not null check (state in ('queued', 'running', 'done')),
  call_id uuid,
  agent_id uuid,
  campaign_id text,
  -- Of a retention: conversations before this time.
  before timestamptz,
  metadata_key text,
  metadata_value text,
  requested_by_type text not null,
  requested_by_id uuid,
  -- Calls found when it began, erased so far, and left because they are held.
  found bigint,
  erased bigint not null default 0,
  held bigint not null default 0,
  bytes bigint not null default 0,
  -- The SHA-256 of each erased call's id, added up modulo 2^256.
  ids_digest bytea not null default decode(repeat('00', 32), 'hex') check (octet_length(ids_digest) = 32),
  -- Whether the agent itself was erased.
  agent_erased boolean not null default false,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  -- Where it stands in the audit log.
  audit_number bigint,
  audit_hash bytea,
  primary key (workspace_id, id),
  check (state <> 'done' or (metadata_key is null and metadata_value is null))
);
-- One retention of a campaign, and one erasure of a workspace, at a time.
create unique index erasure_one_retention on erasure (workspace_id, campaign_id) where kind = 'retention' and state <> 'done';
create unique index erasure_one_workspace on erasure (workspace_id) where kind = 'workspace' and state <> 'done';
-- What is not done yet, to be found when its job was lost.
create index erasure_open on erasure (workspace_id, id) where state <> 'done';

-- Which entries of the ledger in the object store this database has carried out. A restored one lacks the latest.
create table erasure_entry (
  workspace_id uuid not null,
  erasure_id uuid not null,
  id uuid not null,
  primary key (workspace_id, erasure_id, id),
  foreign key (workspace_id, erasure_id) references erasure
);

-- The objects of erased calls: an erasure is done when none of them is left.
alter table staged_object add column erasure_id uuid;
create index staged_object_by_erasure on staged_object (erasure_id) where erasure_id is not null;

do $$
declare guarded text;
begin
  foreach guarded in array array['erased_call', 'erased_agent', 'legal_hold', 'erasure', 'erasure_entry'] loop
    execute format('alter table %I enable row level security', guarded);
    execute format('alter table %I force row level security', guarded);
    execute format('create policy own_workspace on %I using (workspace_id = current_workspace())', guarded);
  end loop;
end $$;

-- Removes up to so many rows of the transaction's workspace, from every table that has a workspace_id, those that refer
-- to others first, and gives how many they were. What it leaves: the audit log, and what says which erasures there were.
-- Row-level security is forced on the owner too: it can remove nothing of another workspace.
create function remove_workspace_rows(most integer) returns bigint
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  kept constant text[] := array['audit_entry', 'audit_head', 'erasure', 'erasure_entry'];
  mine uuid := current_workspace();
  pending oid[];
  one oid;
  gone bigint;
  total bigint := 0;
begin
  if mine is null then raise exception 'no workspace is named'; end if;
  select array_agg(c.oid) into pending from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> all (kept);
  while cardinality(pending) > 0 loop
    -- One that no other of those left refers to.
    select candidate into one from unnest(pending) as candidate
      where not exists (select from pg_constraint k
        where k.contype = 'f' and k.confrelid = candidate and k.conrelid = any (pending) and k.conrelid <> candidate)
      limit 1;
    if one is null then raise exception 'tables refer to each other in a circle'; end if;
    -- By their places, so that a large table is not read through. In a partitioned one a place is not unique; there is
    -- one only for calls and what refers to them, which are gone by then, but for those that have just come.
    execute format(case (select relkind from pg_class where oid = one)
      when 'r' then 'delete from %1$s where ctid = any (array(select ctid from %1$s where workspace_id = $1 limit $2))'
      else 'delete from %1$s where workspace_id = $1 and $2 > 0' end, one::regclass) using mine, most - total;
    get diagnostics gone = row_count;
    total := total + gone;
    if total >= most then return total; end if;
    pending := array_remove(pending, one);
  end loop;
  return total;
end $$;
revoke execute on function remove_workspace_rows(integer) from public;

grant execute on function remove_workspace_rows(integer) to hearback_service;
grant delete on call, app_user to hearback_service;
grant update (name, erased_at) on workspace to hearback_service;
grant select, insert on erased_call, erased_agent, erasure_entry to hearback_service;
grant select, insert, update on legal_hold, erasure to hearback_service;
