-- Run once, as a PostgreSQL administrator, before the first `hearback-server migrate`:
--
--   psql "$ADMIN_URL" -v owner_password=… -v service_password=… -f roles.sql
--
-- Two roles: hearback_owner owns the tables and is used only by `migrate`; hearback_service is used by the API and
-- workers, owns nothing, and sees only the rows of the workspace set in its transaction (row-level security).
create role hearback_owner login password :'owner_password' nosuperuser nobypassrls nocreatedb nocreaterole;
create role hearback_service login password :'service_password' nosuperuser nobypassrls nocreatedb nocreaterole;
create database hearback owner hearback_owner;
revoke all on database hearback from public;
grant connect on database hearback to hearback_service;
