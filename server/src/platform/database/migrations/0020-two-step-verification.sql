-- An authenticator app (TOTP, RFC 6238). Secrets are encrypted where ENCRYPTION_KEYS is set.
create table totp_factor (
  workspace_id uuid not null,
  user_id uuid not null,
  -- Null until a code has confirmed the first enrolment.
  secret text check (char_length(secret) <= 500),
  confirmed_at timestamptz,
  -- The newest time step whose code was accepted: each code is accepted once.
  last_step bigint,
  -- An enrolment that no code has confirmed yet. The present secret stays valid until then.
  pending_secret text check (char_length(pending_secret) <= 500),
  pending_at timestamptz,
  primary key (workspace_id, user_id),
  foreign key (workspace_id, user_id) references app_user on delete cascade,
  check ((secret is null) = (confirmed_at is null)),
  check ((pending_secret is null) = (pending_at is null))
);

-- A passkey (WebAuthn credential). Only the public key is stored.
create table passkey (
  workspace_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  credential_id bytea not null check (octet_length(credential_id) between 1 and 1023),
  public_key bytea not null check (octet_length(public_key) <= 4000),
  sign_count bigint not null,
  transports text[] not null default '{}' check (cardinality(transports) <= 10),
  name text not null check (char_length(name) between 1 and 100),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, user_id) references app_user on delete cascade
);
-- Sign-in by passkey.
create unique index passkey_by_credential on passkey (workspace_id, credential_id);
-- The passkeys of a user.
create index passkey_by_user on passkey (workspace_id, user_id);

-- Recovery codes: SHA-256 of 80 random bits and the user's id.
create table recovery_code (
  workspace_id uuid not null,
  user_id uuid not null,
  hash bytea not null check (octet_length(hash) = 32),
  used_at timestamptz,
  primary key (workspace_id, user_id, hash),
  foreign key (workspace_id, user_id) references app_user on delete cascade
);

-- A sign-in whose password was right and whose second step is missing. The cookie holds 256 random bits, and this their
-- SHA-256. It is not a session: it leads to one and to nothing else.
create table pending_sign_in (
  workspace_id uuid not null,
  hash bytea not null check (octet_length(hash) = 32),
  user_id uuid not null,
  signed_in_by text not null check (signed_in_by in ('password', 'link')),
  expires_at timestamptz not null,
  primary key (workspace_id, hash),
  foreign key (workspace_id, user_id) references app_user on delete cascade
);
-- Removing those of a user, and those that expired.
create index pending_sign_in_by_user on pending_sign_in (workspace_id, user_id);
create index pending_sign_in_by_end on pending_sign_in (workspace_id, expires_at);

-- WebAuthn challenges that were not answered yet: digests, removed when they are answered or expire.
create table passkey_challenge (
  digest bytea primary key check (octet_length(digest) = 32),
  expires_at timestamptz not null
);
create index passkey_challenge_by_end on passkey_challenge (expires_at);

-- The second step that the session passed, or the factor that was enrolled in it.
alter table session add column second_factor text
  constraint session_second_factor_check check (second_factor in ('totp', 'passkey', 'recovery_code'));
alter table session drop constraint session_signed_in_by_check;
alter table session add constraint session_signed_in_by_check
  check (signed_in_by in ('password', 'oidc', 'link', 'passkey'));

do $$
declare guarded text;
begin
  foreach guarded in array array['totp_factor', 'passkey', 'recovery_code', 'pending_sign_in'] loop
    execute format('alter table %I enable row level security', guarded);
    execute format('alter table %I force row level security', guarded);
    execute format('create policy own_workspace on %I using (workspace_id = current_workspace())', guarded);
  end loop;
end $$;

-- As find_session, and whether the workspace requires a second factor that this session has not passed. Sign-ins by a
-- provider are the provider's responsibility. A function of its own: running processes have prepared find_session.
create function find_session_caller(presented bytea)
  returns table (workspace_id uuid, id uuid, user_id uuid, role text, ends_at timestamptz, two_step_needed boolean)
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
    select s.workspace_id, s.id, s.user_id, u.role, least(s.expires_at, s.idle_until),
      s.second_factor is null and s.signed_in_by in ('password', 'link') and case w.settings ->> 'two_step'
        when 'all' then true when 'admins' then u.role = 'admin' else false end
    from session as s
    join app_user as u on u.workspace_id = s.workspace_id and u.id = s.user_id
    join workspace as w on w.id = s.workspace_id
    where s.workspace_id = place and s.hash = presented and u.deactivated_at is null;
  perform set_config('hearback.workspace', before, true);
end $$;

grant select, insert, update, delete on totp_factor, passkey, recovery_code to hearback_service;
grant select, insert, delete on pending_sign_in, passkey_challenge to hearback_service;
