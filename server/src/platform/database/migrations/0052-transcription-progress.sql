set local lock_timeout = '2s';

-- How many stretches were answered when the job had used up its retries. More than that: it is queued again.
alter table transcript_run add column answered integer not null default 0;
