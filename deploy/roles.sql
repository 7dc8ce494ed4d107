-- Run as a PostgreSQL administrator before the first `hearback-server migrate`. Can be repeated: it sets the passwords again, and
-- changes nothing else. The passwords are taken from the environment, because arguments are visible to everyone on the machine:
--
--   OWNER_PASSWORD=… SERVICE_PASSWORD=… psql "$ADMIN_URL" -v ON_ERROR_STOP=1 -f roles.sql
--
-- hearback_owner owns the tables and is used only by `migrate`. hearback_service is used by the API and workers, owns nothing,
-- and sees only the rows of the workspace set in its transaction (row-level security). hearback_search cannot log in; it owns
-- the function that searches what was said, and may read the words of calls and nothing else.
\getenv owner_password OWNER_PASSWORD
\getenv service_password SERVICE_PASSWORD
select format('create role %I nosuperuser nobypassrls nocreatedb nocreaterole', name)
  from unnest(array['hearback_owner', 'hearback_service', 'hearback_search']) as name
  where not exists (select from pg_roles where rolname = name) \gexec
alter role hearback_owner login password :'owner_password';
alter role hearback_service login password :'service_password';
grant hearback_search to hearback_owner;
select 'create database hearback owner hearback_owner' where not exists (select from pg_database where datname = 'hearback') \gexec
revoke all on database hearback from public;
grant connect on database hearback to hearback_service;
\connect hearback
-- For `hearback-server backup check`, which looks for the last base backup.
grant execute on function pg_ls_waldir() to hearback_service;
