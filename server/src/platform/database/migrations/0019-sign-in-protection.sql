-- When the person last proved who they are in this session: by password, or by a fresh sign-in at the provider. Null: not
-- since the session exists. Sessions from before this migration must prove it once.
alter table session add column confirmed_at timestamptz;

-- sign_in: an operator lets an administrator in without a password, once.
alter table access_link drop constraint access_link_kind_check;
alter table access_link add constraint access_link_kind_check check (kind in ('invitation', 'reset', 'sign_in'));

-- The account at the sign-in provider that belongs to a user: linked at the first sign-in, and the only one from then on.
create table provider_identity (
  workspace_id uuid not null,
  user_id uuid not null,
  issuer text not null check (char_length(issuer) <= 500),
  subject text not null check (char_length(subject) <= 255),
  linked_at timestamptz not null default now(),
  primary key (workspace_id, user_id, issuer),
  foreign key (workspace_id, user_id) references app_user on delete cascade
);
-- One account is one user of a workspace: checked when an account is linked.
create unique index provider_identity_by_account on provider_identity (workspace_id, issuer, subject);
-- Sign-in by provider: find_provider_users, before the workspace is known.
create index provider_identity_by_subject on provider_identity (issuer, subject);

-- Invitation emails of one day (UTC), for the quota. One row for each workspace.
create table invitation_mail_count (
  workspace_id uuid primary key references workspace,
  day timestamptz not null,
  mails integer not null
);
-- As in workspace_limit: null is the installation's setting, 0 is no limit.
alter table workspace_limit add column invitation_mails_per_day integer check (invitation_mails_per_day >= 0);

do $$
declare guarded text;
begin
  foreach guarded in array array['provider_identity', 'invitation_mail_count'] loop
    execute format('alter table %I enable row level security', guarded);
    execute format('alter table %I force row level security', guarded);
    execute format('create policy own_workspace on %I using (workspace_id = current_workspace())', guarded);
  end loop;
end $$;
create policy holder_of_the_account on provider_identity for select
  using (issuer = nullif(current_setting('hearback.provider_issuer', true), '')
    and subject = nullif(current_setting('hearback.provider_subject', true), ''));
grant select, insert, delete on provider_identity to hearback_service;
grant select, insert, update on invitation_mail_count to hearback_service;

-- The active users whose linked account this is, in every workspace.
create function find_provider_users(account_issuer text, account_subject text)
  returns table (workspace_id uuid, workspace_name text, user_id uuid)
  language plpgsql as $$
declare
  before constant text := coalesce(current_setting('hearback.workspace', true), '');
  link record;
begin
  perform set_config('hearback.provider_issuer', account_issuer, true);
  perform set_config('hearback.provider_subject', account_subject, true);
  for link in
    select i.workspace_id, i.user_id, w.name from provider_identity as i join workspace as w on w.id = i.workspace_id
    where i.issuer = account_issuer and i.subject = account_subject and w.erased_at is null
    order by i.workspace_id limit 100
  loop
    perform set_config('hearback.workspace', link.workspace_id::text, true);
    return query select link.workspace_id, link.name, u.id from app_user as u
      where u.workspace_id = link.workspace_id and u.id = link.user_id and u.deactivated_at is null;
  end loop;
  perform set_config('hearback.provider_issuer', '', true);
  perform set_config('hearback.provider_subject', '', true);
  perform set_config('hearback.workspace', before, true);
end $$;

-- As before, but a workspace that has turned password sign-in off shows no password.
create or replace function find_people(address text)
  returns table (workspace_id uuid, workspace_name text, user_id uuid, password_hash text)
  language plpgsql as $$
declare
  before constant text := coalesce(current_setting('hearback.workspace', true), '');
  person record;
begin
  perform set_config('hearback.email_key', address, true);
  for person in
    select u.workspace_id, u.id, w.name, coalesce(w.settings ->> 'password_sign_in', 'true') <> 'false' as by_password
    from app_user as u join workspace as w on w.id = u.workspace_id
    where u.email_key = address and u.deactivated_at is null and w.erased_at is null
    order by u.workspace_id limit 100
  loop
    perform set_config('hearback.workspace', person.workspace_id::text, true);
    return query select person.workspace_id, person.name, person.id,
      (select c.password_hash from credential as c
        where person.by_password and c.workspace_id = person.workspace_id and c.user_id = person.id);
  end loop;
  perform set_config('hearback.email_key', '', true);
  perform set_config('hearback.workspace', before, true);
end $$;

-- Addresses are compared without the case of A to Z only. Folding all of Unicode made different addresses equal: the
-- Kelvin sign became k. The new keys tell apart at least what the old ones did, so none of them meets another.
do $$
declare
  place uuid;
  blanks constant text := E' \t\n\u000b\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
begin
  for place in select id from workspace loop
    perform set_config('hearback.workspace', place::text, true);
    update app_user
    set email_key = translate(btrim(email, blanks), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')
    where workspace_id = place and octet_length(email) <> char_length(email);
  end loop;
  perform set_config('hearback.workspace', '', true);
end $$;
