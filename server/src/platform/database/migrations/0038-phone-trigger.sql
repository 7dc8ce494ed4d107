set local lock_timeout = '2s';

-- Imports compute the digits themselves (calls/import/insert-call.ts). The trigger is left for everything else, and is not called for
-- values that cannot be a phone number.
create or replace trigger set_phone_digits before insert on call_metadata for each row
  when (new.phone_digits is null and length(new.value) >= 6 and new.value ~ '[0-9]')
  execute function set_phone_digits();
