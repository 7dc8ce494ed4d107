-- migrate: no transaction

-- One table at a time: searches lock these in another order.
alter table campaign
  -- Language of its calls. Null: they are not transcribed.
  add column if not exists transcription_language text check (char_length(transcription_language) between 2 and 20),
  add column if not exists masking text not null default 'text' check (masking in ('off', 'text', 'text_and_sound')),
  -- Erases the original recording once the sound of its playback copy is masked.
  add column if not exists erase_masked_originals boolean not null default false;

-- May hear original recordings whose playback copy is masked.
alter table app_user add column if not exists listens_to_originals boolean not null default false;
alter table api_key drop constraint if exists api_key_scopes_check, add constraint api_key_scopes_check
  check (scopes <@ array['import', 'read', 'review', 'manage', 'listen_original'] and cardinality(scopes) > 0);

-- The audit log covers reading a transcript as it covers listening.
alter table listening drop constraint if exists listening_form_check, add constraint listening_form_check
  check (form in ('playback', 'original', 'transcript'));

-- When the original recording was erased after masking. Its object is gone; `recording_key` still names it.
alter table call add column if not exists original_erased_at timestamptz;

-- Such recordings no longer use storage.
create or replace function uncount_removed_calls() returns trigger
  language plpgsql as $$
begin
  update workspace_usage as usage set calls = usage.calls - gone.calls, bytes = usage.bytes - gone.bytes
  from (
    select workspace_id, count(*) as calls, coalesce(sum(recording_bytes) filter (where original_erased_at is null), 0) as bytes
    from removed group by 1
  ) as gone
  where usage.workspace_id = gone.workspace_id;
  insert into import_delta (workspace_id, bucket, campaign_id, status, failure_code, count)
  select workspace_id, import_bucket(created_at), campaign_id, status, coalesce(failure_code, ''), -count(*)
  from removed group by 1, 2, 3, 4, 5;
  return null;
end $$;
