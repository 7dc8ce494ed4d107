-- Locks the assignments in the order of ids, like all who lock several, before it changes them.
create or replace function skip_assignments_of(calls uuid[]) returns void
  language sql set search_path = public, pg_temp as $$
  select from assignment where workspace_id = current_workspace() and call_id = any (calls) order by id for no key update;
  update assignment set skip_note = '' where workspace_id = current_workspace() and call_id = any (calls) and skip_note is not null;
  update assignment set state = 'skipped', skip_reason = 'erased', review_id = null, to_replace = kind = 'first'
    where workspace_id = current_workspace() and call_id = any (calls) and state in ('pending', 'open');
$$;
