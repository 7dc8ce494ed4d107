-- Nullable columns without a default: PostgreSQL changes the catalog only and reads no row.
set local lock_timeout = '2s';

-- Since when every attempt of the step failed for `reason_code`. A recording that the store does not have, or has with other
-- bytes, is retried for some minutes before the call fails.
alter table call_step add column reason_since timestamptz;

-- What `hearback-server verify` found wrong with the stored recording: 'missing' or 'differs'. Null: nothing. POST /calls/lookup
-- then asks for the recording again, and the next import of the same call replaces it.
alter table call add column recording_damage text;
