-- The password of a person, apart from the person: what lists people never reads it. An argon2id string.
create table credential (
  workspace_id uuid not null,
  user_id uuid not null,
  password_hash text not null check (char_length(password_hash) <= 300),
  changed_at timestamptz not null default now(),
  primary key (workspace_id, user_id),
  foreign key (workspace_id, user_id) references app_user on delete cascade
);

-- Somebody who is signed in. The cookie holds 256 random bits, and this their SHA-256.
create table session (
  workspace_id uuid not null,
  -- Ordered by time (UUIDv7).
  id uuid not null,
  user_id uuid not null,
  hash bytea not null unique,
  signed_in_by text not null check (signed_in_by in ('password', 'oidc', 'link')),
  user_agent text check (char_length(user_agent) <= 300),
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  -- When it ends if nothing more is heard of it, and when at the latest.
  idle_until timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, user_id) references app_user on delete cascade
);
create index session_by_user on session (workspace_id, user_id, id);
create index session_by_end on session (workspace_id, expires_at);

-- A link that lets a person choose a password: an invitation, or because the old one was forgotten. Used once.
create table access_link (
  workspace_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  kind text not null check (kind in ('invitation', 'reset')),
  -- Given to somebody in hand, not mailed.
  handed_over boolean not null,
  hash bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, user_id) references app_user on delete cascade
);
create index access_link_by_user on access_link (workspace_id, user_id);
create index access_link_by_end on access_link (workspace_id, expires_at);

-- A link that makes a workspace and its first administrator. It belongs to nobody yet.
create table setup_link (
  hash bytea primary key,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz
);

-- How often somebody tried to sign in: digests of an address, of a mailbox, of both.
create table sign_in_guess (
  digest bytea primary key check (octet_length(digest) = 32),
  tries integer not null default 0,
  last_at timestamptz not null default now(),
  blocked_until timestamptz,
  -- When the password was right the last time: who comes from where they came before is not kept out by others' guesses.
  succeeded_at timestamptz
);
create index sign_in_guess_by_age on sign_in_guess (last_at);

do $$
declare guarded text;
begin
  foreach guarded in array array['credential', 'session', 'access_link'] loop
    execute format('alter table %I enable row level security', guarded);
    execute format('alter table %I force row level security', guarded);
    execute format('create policy own_workspace on %I using (workspace_id = current_workspace())', guarded);
  end loop;
end $$;

-- A session and a link are looked up before their workspace is known: whoever has the hash sees the one row it belongs to.
create policy holder_of_the_session on session for select
  using (hash = decode(nullif(current_setting('hearback.session_hash', true), ''), 'hex'));
create policy holder_of_the_link on access_link for select
  using (hash = decode(nullif(current_setting('hearback.link_hash', true), ''), 'hex'));
-- Who signs in says an address, and may have it in several workspaces.
create index app_user_by_email on app_user (email_key);
create policy person_of_the_address on app_user for select
  using (email_key = nullif(current_setting('hearback.email_key', true), ''));

-- The session with the role that its person has now. Of one who was deactivated there is none.
create function find_session(presented bytea)
  returns table (workspace_id uuid, id uuid, user_id uuid, role text, ends_at timestamptz)
  language plpgsql as $$
declare
  before constant text := coalesce(current_setting('hearback.workspace', true), '');
  place uuid;
begin
  perform set_config('hearback.session_hash', encode(presented, 'hex'), true);
  select s.workspace_id into place from session as s
    where s.hash = presented and s.ended_at is null and s.expires_at > now() and s.idle_until > now();
  perform set_config('hearback.session_hash', '', true);
  if place is null then return; end if;
  perform set_config('hearback.workspace', place::text, true);
  return query
    select s.workspace_id, s.id, s.user_id, u.role, least(s.expires_at, s.idle_until) from session as s
    join app_user as u on u.workspace_id = s.workspace_id and u.id = s.user_id
    where s.workspace_id = place and s.hash = presented and u.deactivated_at is null;
  perform set_config('hearback.workspace', before, true);
end $$;

-- Everybody with this address who could sign in somewhere, with what their password is checked against.
create function find_people(address text)
  returns table (workspace_id uuid, workspace_name text, user_id uuid, password_hash text)
  language plpgsql as $$
declare
  before constant text := coalesce(current_setting('hearback.workspace', true), '');
  person record;
begin
  perform set_config('hearback.email_key', address, true);
  for person in
    select u.workspace_id, u.id, w.name from app_user as u join workspace as w on w.id = u.workspace_id
    where u.email_key = address and u.deactivated_at is null and w.erased_at is null
    order by u.workspace_id limit 100
  loop
    perform set_config('hearback.workspace', person.workspace_id::text, true);
    return query select person.workspace_id, person.name, person.id,
      (select c.password_hash from credential as c where c.workspace_id = person.workspace_id and c.user_id = person.id);
  end loop;
  perform set_config('hearback.email_key', '', true);
  perform set_config('hearback.workspace', before, true);
end $$;

-- The link, if it can still be used.
create function find_access_link(presented bytea)
  returns table (workspace_id uuid, id uuid, user_id uuid, kind text)
  language plpgsql as $$
begin
  perform set_config('hearback.link_hash', encode(presented, 'hex'), true);
  return query
    select l.workspace_id, l.id, l.user_id, l.kind from access_link as l
    where l.hash = presented and l.ended_at is null and l.expires_at > now();
  perform set_config('hearback.link_hash', '', true);
end $$;

-- Whether anybody in the whole installation has a password. Says no more than that.
create function somebody_can_sign_in() returns boolean
  language plpgsql as $$
declare
  before constant text := coalesce(current_setting('hearback.workspace', true), '');
  place uuid;
  found_one boolean := false;
begin
  for place in select w.id from workspace as w where w.erased_at is null order by w.created_at loop
    perform set_config('hearback.workspace', place::text, true);
    select exists (
      select from credential as c join app_user as u on u.workspace_id = c.workspace_id and u.id = c.user_id
      where c.workspace_id = place and u.deactivated_at is null
    ) into found_one;
    exit when found_one;
  end loop;
  perform set_config('hearback.workspace', before, true);
  return found_one;
end $$;

grant select, insert, update, delete on credential, session, access_link, setup_link, sign_in_guess to hearback_service;
