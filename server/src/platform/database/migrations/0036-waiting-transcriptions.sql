-- migrate: no transaction

-- Calls whose transcription has not ended.
create index concurrently if not exists call_step_to_transcribe on call_step (workspace_id, call_id)
  where step = 'transcribe' and state = 'running';
