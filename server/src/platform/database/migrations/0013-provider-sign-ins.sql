-- Journeys to the sign-in provider that have come back, each once: digests of what the browser carried. Of nobody in
-- particular, and forgotten when the journey would have ended by itself.
create table provider_sign_in (
  digest bytea primary key check (octet_length(digest) = 32),
  expires_at timestamptz not null
);
create index provider_sign_in_by_end on provider_sign_in (expires_at);
grant select, insert, delete on provider_sign_in to hearback_service;
