-- migrate: no transaction
-- The digits of a phone number, last digit first; null if the value is not one. With the digits in this order, "ends with"
-- is a range of an index.
create or replace function phone_digits(value text) returns text
  language sql immutable parallel safe as $$
  select case when plain ~ '^(tel:)?[+( ]{0,3}[0-9][-0-9 ()./]{4,30}$' and length(digits) between 6 and 15
    then reverse(digits) end
  from (select translate(value, U&'\00A0\2007\2009\202F\2010\2011\2012\2013', '    ----') as plain) as simplified,
    lateral (select regexp_replace(plain, '[^0-9]', '', 'g') as digits) as found
$$;

-- A column and not an index on the function: an expression is no index condition under row-level security, because the
-- function is not leakproof.
alter table call_metadata add column if not exists phone_digits text collate "C";

-- By a trigger, so that processes of the previous release, which run during the upgrade, fill it, too.
create or replace function set_phone_digits() returns trigger language plpgsql as $$
begin
  new.phone_digits := phone_digits(new.value);
  return new;
end $$;
do $$
begin
  if not exists (select from pg_trigger where tgrelid = 'call_metadata'::regclass and tgname = 'set_phone_digits') then
    create trigger set_phone_digits before insert on call_metadata for each row execute function set_phone_digits();
  end if;
end $$;

-- Existing entries, 5,000 at a time, each batch committed separately. Row-level security is forced on the owner, so each
-- batch sets its workspace. A repeated run changes only what is missing; after a lock timeout, the same session continues
-- behind its last batch.
do $$
declare
  nowhere constant uuid := '00000000-0000-0000-0000-000000000000';
  reached constant text[] := string_to_array(current_setting('hearback.phones_until', true), ' ');
  workspace_of uuid;
  after_id uuid;
  last_id uuid;
begin
  for workspace_of in select id from workspace where id >= coalesce(nullif(reached[1], '')::uuid, nowhere) order by id loop
    after_id := case when workspace_of::text = reached[1] then reached[2]::uuid else nowhere end;
    loop
      perform set_config('hearback.workspace', workspace_of::text, true);
      select batch.call_id into last_id from (
        select call_id from call_metadata where workspace_id = workspace_of and call_id > after_id order by call_id limit 5000
      ) as batch order by batch.call_id desc limit 1;
      exit when last_id is null;
      update call_metadata set phone_digits = phone_digits(value)
        where workspace_id = workspace_of and call_id > after_id and call_id <= last_id
          and phone_digits is null and phone_digits(value) is not null;
      perform set_config('hearback.phones_until', workspace_of || ' ' || last_id, false);
      commit;
      after_id := last_id;
    end loop;
  end loop;
end $$;

-- GET /calls?phone=…: the numbers that end with some digits, and the calls of each number, newest first.
create index concurrently if not exists call_metadata_by_phone
  on call_metadata (workspace_id, phone_digits, call_id) where phone_digits is not null;
