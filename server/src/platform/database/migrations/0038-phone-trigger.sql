set local lock_timeout = '2s';

-- Not called for values that cannot be a phone number.
create or replace trigger set_phone_digits before insert on call_metadata for each row
  when (length(new.value) >= 6 and new.value ~ '[0-9]')
  execute function set_phone_digits();
