-- Where the chain of a workspace's audit log ends: how many entries it has, and the hash of the last.
create table audit_head (
  workspace_id uuid primary key references workspace,
  number bigint not null,
  hash bytea not null
);

-- Who did what. Append-only: the service may add entries and read them. Each entry's hash covers the hash before it, so
-- that an entry changed, removed or put in between is found. Ids, names of members and counts; nothing personal.
create table audit_entry (
  workspace_id uuid not null references workspace,
  number bigint not null,
  at timestamptz not null,
  actor_type text not null check (actor_type in ('key', 'user', 'operator', 'system')),
  actor_id uuid,
  action text not null check (action ~ '^[a-z_]+\.[a-z_]+$' and char_length(action) <= 100),
  subject_type text not null check (subject_type ~ '^[a-z_]{1,50}$'),
  subject_id text not null check (subject_id ~ '^[A-Za-z0-9._-]{0,200}$'),
  data jsonb not null default '{}',
  hash bytea not null,
  primary key (workspace_id, number)
);

-- What an entry's hash covers, beside the hash before it: one line for each column. docs/audit.md tells it to auditors.
create function audit_text(entry audit_entry) returns text
  language sql stable parallel safe
  return concat_ws(E'\n',
    entry.number, to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    entry.actor_type, coalesce(entry.actor_id::text, ''), entry.action,
    entry.subject_type, entry.subject_id, entry.data::text);

-- Gives an entry its number, its time and its hash, whatever was sent. Whoever adds one waits for the one before to be
-- committed or undone: an entry is written last in its transaction.
create function chain_audit_entry() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  head audit_head;
begin
  select * into head from audit_head where workspace_id = new.workspace_id for update;
  if not found then
    insert into audit_head values (new.workspace_id, 0, decode(repeat('00', 32), 'hex')) on conflict do nothing;
    select * into head from audit_head where workspace_id = new.workspace_id for update;
  end if;
  new.number := head.number + 1;
  new.at := clock_timestamp();
  new.hash := sha256(head.hash || convert_to(audit_text(new), 'UTF8'));
  update audit_head set number = new.number, hash = new.hash where workspace_id = new.workspace_id;
  return new;
end $$;
revoke execute on function chain_audit_entry() from public;
create trigger chain_audit_entry before insert on audit_entry for each row execute function chain_audit_entry();

do $$
declare guarded text;
begin
  foreach guarded in array array['audit_head', 'audit_entry'] loop
    execute format('alter table %I enable row level security', guarded);
    execute format('alter table %I force row level security', guarded);
    execute format('create policy own_workspace on %I using (workspace_id = current_workspace())', guarded);
  end loop;
end $$;

grant select on audit_head to hearback_service;
grant select, insert on audit_entry to hearback_service;

-- The campaigns a key is restricted to; null: all of them.
alter table api_key add column campaign_ids text[] check (cardinality(campaign_ids) between 1 and 100);
