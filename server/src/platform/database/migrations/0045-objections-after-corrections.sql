set local lock_timeout = '2s';

-- Only disputes of this revision and later ones count toward the levels of the scorecard: a correction lowered the score.
alter table review add column objections_from integer not null default 0;
