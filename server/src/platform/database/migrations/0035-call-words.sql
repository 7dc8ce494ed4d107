set local lock_timeout = '2s';
-- No month is added until the end of this transaction.
select pg_advisory_xact_lock(hashtext('hearback.add_call_month'));

-- Dictionaries that know endings and leave no word out, so that "to be or not to be" is found. The service refers to them by
-- language (calls/search/words-of-text.ts), and removes accents and punctuation before.
do $$
declare code text; stemmer text;
begin
  for code, stemmer in values
    ('ar', 'arabic'), ('ca', 'catalan'), ('da', 'danish'), ('de', 'german'), ('el', 'greek'), ('en', 'english'),
    ('es', 'spanish'), ('eu', 'basque'), ('fi', 'finnish'), ('fr', 'french'), ('ga', 'irish'), ('hi', 'hindi'),
    ('hu', 'hungarian'), ('hy', 'armenian'), ('id', 'indonesian'), ('it', 'italian'), ('lt', 'lithuanian'),
    ('ne', 'nepali'), ('nl', 'dutch'), ('no', 'norwegian'), ('pt', 'portuguese'), ('ro', 'romanian'), ('ru', 'russian'),
    ('sr', 'serbian'), ('sv', 'swedish'), ('ta', 'tamil'), ('tr', 'turkish'), ('yi', 'yiddish')
  loop
    execute format('create text search dictionary said_%s (template = snowball, language = %I)', code, stemmer);
    execute format('create text search configuration said_%s (copy = simple)', code);
    execute format('alter text search configuration said_%s alter mapping for asciiword, word, numword with said_%1$s', code);
  end loop;
  create text search configuration said_simple (copy = simple);
end $$;

-- The pairs of words that follow each other, each hashed to one of 262,144 lexemes such as ~3f2a1. Lexemes of words have letters and
-- digits only. The hash is one that hash partitioning uses, so it is the same in every version of PostgreSQL.
create function said_pairs(words tsvector) returns text[]
  language sql immutable parallel safe
  return (
    select coalesce(array_agg('~' || to_hex(hash & 262143)), '{}')
    from (
      select hashtextextended(lexeme || ' ' || lead(lexeme) over by_place, 0) as hash, place, lead(place) over by_place as next
      from unnest(words) as entry (lexeme, places, weights), unnest(places) as place
      window by_place as (order by place)
    ) as pair
    where next = place + 1
  );

-- What the index of words knows of a row: with the pairs, it finds the calls that may have a phrase.
create function said_index(words tsvector) returns tsvector
  language sql immutable parallel safe
  return words || array_to_tsvector(said_pairs(words));

-- Where GIN finds the rows of a workspace: all of them, those of a day, and those of an hour (UTC) of the conversation.
create function said_places(workspace_id uuid, call_id uuid) returns bigint[]
  language sql immutable parallel safe
  return (
    select array[
      uuid_hash_extended(workspace_id, 0), uuid_hash_extended(workspace_id, hour / 24 * 2 + 1),
      uuid_hash_extended(workspace_id, hour * 2 + 2)
    ] from (select ('x' || left(replace(call_id::text, '-', ''), 12))::bit(48)::bigint / 3600000 as hour) as conversation
  );

-- What was said in a call, one row per side; of a long side several, because a tsvector keeps 256 positions of a word.
create table call_words (
  workspace_id uuid not null,
  call_id uuid not null,
  channel text not null check (channel in ('left', 'right', 'both')),
  -- 0: all words of the side. If the side has `parts`, this row has no positions, but the lexemes of the pairs, and 1, 2 … are its
  -- overlapping parts.
  part smallint not null check (part >= 0),
  parts smallint not null default 0 check (parts >= 0),
  words tsvector not null,
  places bigint[] not null generated always as (said_places(workspace_id, call_id)) stored,
  primary key (workspace_id, call_id, channel, part)
) partition by range (call_id);
alter table call_words enable row level security;
alter table call_words force row level security;
create policy own_workspace on call_words using (workspace_id = current_workspace());
grant select, insert, delete on call_words to hearback_service;
-- Without a list of pending entries, which every search would read from its beginning to its end.
create index call_words_said on call_words using gin (places, said_index(words)) with (fastupdate = off);

-- The newest-first search reads `words` of few of the rows that it finds: large ones are kept apart.
create function add_words_partition(at timestamptz) returns void
  language plpgsql set search_path = public, pg_temp as $$
begin
  perform add_partition('call_words', at);
  execute format('alter table %I set (toast_tuple_target = 128)', 'call_words_' || to_char(at at time zone 'UTC', 'YYYY_MM'));
end $$;

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
  perform add_partition('transcript', at);
  perform add_words_partition(at);
  perform add_partition('call', at);
  insert into call_month (month, opened_by) values (date_trunc('month', at, 'UTC'), mine);
end $$;

do $$
declare at timestamptz;
begin
  for at in select month from call_month loop
    perform add_words_partition(at);
  end loop;
end $$;

-- The languages in which a workspace's calls were indexed: a search stems its words in each of them.
create table words_language (
  workspace_id uuid not null references workspace,
  language text not null check (char_length(language) between 2 and 20),
  primary key (workspace_id, language)
);
alter table words_language enable row level security;
alter table words_language force row level security;
create policy own_workspace on words_language using (workspace_id = current_workspace());
grant select, insert, delete on words_language to hearback_service;

-- The calls of the transaction's workspace with all words and pairs of `every`, from `floor` to before `below`: an id for each matching
-- side, in no order, or null where `query` shows that the pairs are of other words; at most `most`. Long sides are not compared
-- with `query`: their phrases are in other rows.
-- Under row-level security `@@` is no index condition, because it is not leakproof. The owner of this function sees all
-- rows of call_words, so the function names the workspace itself. "is true" hides that condition and with it the primary
-- key from the planner: only the GIN index is left. Searches switch bitmap scans off (genericPlanSettings), GIN needs them.
create function said_calls(every tsquery, query tsquery, floor uuid, below uuid, most integer) returns setof uuid
  language plpgsql stable security definer rows 100
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan set jit = off
  set enable_bitmapscan = on set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
declare
  named constant uuid := public.current_workspace();
  first_hour constant bigint := ('x' || left(replace(floor::text, '-', ''), 12))::bit(48)::bigint / 3600000;
  last_hour constant bigint := ('x' || left(replace(below::text, '-', ''), 12))::bit(48)::bigint / 3600000;
  first_day constant bigint := (first_hour + 23) / 24;
  end_day constant bigint := greatest(first_day, (last_hour + 1) / 24);
  wanted bigint[];
begin
  if named is null then return; end if;
  if last_hour - first_hour >= 27 * 24 then
    wanted := array[uuid_hash_extended(named, 0)];
  else
    wanted := array(
      select uuid_hash_extended(named, day * 2 + 1) from generate_series(first_day, end_day - 1) as day
      union all
      select uuid_hash_extended(named, hour * 2 + 2) from generate_series(first_hour, least(last_hour, first_day * 24 - 1)) as hour
      union all
      select uuid_hash_extended(named, hour * 2 + 2) from generate_series(end_day * 24, last_hour) as hour
    );
  end if;
  -- Without a phrase, the index has decided it.
  if query = every then
    return query select call_id from public.call_words
      where places && wanted and public.said_index(words) @@ every and call_id >= floor and call_id < below
        and (workspace_id = named) is true limit most;
  else
    return query select case when parts > 0 or words @@ query then call_id end from public.call_words
      where places && wanted and public.said_index(words) @@ every and call_id >= floor and call_id < below
        and (workspace_id = named) is true limit most;
  end if;
end $$;
revoke execute on function said_calls(tsquery, tsquery, uuid, uuid, integer) from public;
grant execute on function said_calls(tsquery, tsquery, uuid, uuid, integer) to hearback_service;

-- Gives the function to hearback_search, a role that may read call_words and nothing else, if the administrator has created it
-- (deploy/roles.sql). Without it, the function stays with hearback_owner. `hearback-server migrate` calls this every time.
create function give_search_its_role() returns void
  language plpgsql set search_path = public, pg_temp as $$
declare
  owner name := current_user;
  has_role constant boolean := coalesce(
    (select pg_has_role(current_user, oid, 'member') from pg_roles where rolname = 'hearback_search'), false);
begin
  if has_role then owner := 'hearback_search'; end if;
  if owner = (select proowner::regrole::text from pg_proc where oid = 'said_calls'::regproc)
    and exists (select from pg_policy where polrelid = 'call_words'::regclass and polname = 'search') then return; end if;
  if has_role then
    grant create on schema public to hearback_search;
    alter function said_calls(tsquery, tsquery, uuid, uuid, integer) owner to hearback_search;
    revoke create on schema public from hearback_search;
    grant select (workspace_id, call_id, parts, words, places) on call_words to hearback_search;
  end if;
  drop policy if exists search on call_words;
  execute format('create policy search on call_words for select to %I using (true)', owner);
end $$;
revoke execute on function give_search_its_role() from public;
select give_search_its_role();
