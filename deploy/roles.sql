-- Run once, as a PostgreSQL administrator, before the first `hearback-server migrate`:
--
--   psql "$ADMIN_URL" -v owner_password=… -v service_password=… -f roles.sql
--
-- hearback_owner owns the tables and is used only by `migrate`. hearback_service is used by the API and workers, owns nothing,
-- and sees only the rows of the workspace set in its transaction (row-level security). hearback_search cannot log in; it owns
-- the function that searches what was said, and may read the words of calls and nothing else.
create role hearback_owner login password :'owner_password' nosuperuser nobypassrls nocreatedb nocreaterole;
create role hearback_service login password :'service_password' nosuperuser nobypassrls nocreatedb nocreaterole;
create role hearback_search nologin nosuperuser nobypassrls nocreatedb nocreaterole;
grant hearback_search to hearback_owner;
create database hearback owner hearback_owner;
revoke all on database hearback from public;
grant connect on database hearback to hearback_service;
\connect hearback
-- For `hearback-server backup check`, which looks for the last base backup.
grant execute on function pg_ls_waldir() to hearback_service;
