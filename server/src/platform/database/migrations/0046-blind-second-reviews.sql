set local lock_timeout = '2s';

-- The key is here in clear text once the frame is closed; before, it is in sealed_key, encrypted with ENCRYPTION_KEYS. The second key
-- decides which calls get a second review. It is published when all reviews of the draw are done; before, it is sealed.
alter table review_draw
  alter column key drop not null,
  add column sealed_key text check (char_length(sealed_key) <= 300),
  add column second_key bytea check (octet_length(second_key) = 32),
  add column sealed_second_key text check (char_length(sealed_second_key) <= 300),
  -- Null: drawn before there were second keys.
  add column second_commitment bytea,
  -- The largest ticket that got a second review. Null: none did.
  add column second_limit bytea check (octet_length(second_limit) = 32),
  -- Orders the queue, so that the order says nothing about tickets. Never published.
  add column queue_key bytea not null default sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'))
    check (octet_length(queue_key) = 32),
  add check (second_commitment = sha256(second_key));
-- Second keys to publish.
create index review_draw_second_key on review_draw (workspace_id) where sealed_second_key is not null and state = 'drawn';

create or replace function protect_draw() returns trigger
  language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.starts_at <= now()
      and not exists (select from erasure where workspace_id = old.workspace_id and kind = 'workspace' and state <> 'done') then
      raise exception 'a draw that has begun is not deleted' using errcode = 'HB004';
    end if;
    return old;
  end if;
  -- The checks bind the keys to the commitments.
  if old.starts_at <= now() and (new.commitment, new.second_commitment, new.rules, new.period, new.starts_at, new.ends_at)
    is distinct from (old.commitment, old.second_commitment, old.rules, old.period, old.starts_at, old.ends_at) then
    raise exception 'a draw that has begun does not change' using errcode = 'HB004';
  end if;
  if (old.key is not null and new.key is distinct from old.key)
    or (old.second_key is not null and new.second_key is distinct from old.second_key) then
    raise exception 'a published key does not change' using errcode = 'HB004';
  end if;
  if old.state <> 'committed' and new.nonce <> old.nonce then
    raise exception 'the nonce of a closed draw does not change' using errcode = 'HB004';
  end if;
  if old.root is not null and (new.root, new.closed_at, new.staffing, new.agents, new.calls)
    is distinct from (old.root, old.closed_at, old.staffing, old.agents, old.calls) then
    raise exception 'the frame of a closed draw does not change' using errcode = 'HB004';
  end if;
  return new;
end $$;

-- Draws that were committed to before. `hearback-server secrets rotate` encrypts their keys.
alter table review_draw no force row level security;
alter table review_draw disable trigger protect_draw;
update review_draw set sealed_key = encode(key, 'hex'), key = null where root is null;
update review_draw set sealed_second_key =
    encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text || id::text, 'UTF8')), 'hex') where state <> 'drawn';
update review_draw set second_commitment = sha256(decode(sealed_second_key, 'hex')) where sealed_second_key is not null;
alter table review_draw enable trigger protect_draw;
alter table review_draw force row level security;
