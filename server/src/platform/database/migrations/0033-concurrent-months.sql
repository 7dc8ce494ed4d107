-- Processes that create the same month at the same time wait for each other. The one that waited has cached that the table does
-- not exist, because taking an advisory lock does not read the changes of the catalog; it reads call_month instead.
create or replace function add_call_month(at timestamptz, most integer) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  part constant text := 'public.call_' || to_char(at at time zone 'UTC', 'YYYY_MM');
  mine constant uuid := current_workspace();
begin
  if at < '2000-01-01T00:00:00Z' or at > now() + interval '3 months' then
    raise exception 'no calls are kept for %', at;
  end if;
  if to_regclass(part) is not null then return; end if;
  -- Creators wait for each other here and hold nothing meanwhile.
  set local lock_timeout = '10s';
  perform pg_advisory_xact_lock(hashtext('hearback.add_call_month'));
  if exists (select from call_month where month = date_trunc('month', at, 'UTC')) then return; end if;
  if most is not null and mine is not null and most <= (
    select count(*) from call_month where opened_by = mine and opened_at >= date_trunc('day', now(), 'UTC')
  ) then
    raise exception 'the workspace has created % months today', most using errcode = 'HB003';
  end if;
  -- `call` refers to campaign and app_user: attaching locks those two against changes, not against imports. Longer than
  -- deadlock_timeout, so that an autovacuum of theirs is cancelled.
  set local lock_timeout = '4s';
  perform add_partition('call_metadata', at);
  perform add_partition('call_step', at);
  perform add_partition('call', at);
  insert into call_month (month, opened_by) values (date_trunc('month', at, 'UTC'), mine);
end $$;
