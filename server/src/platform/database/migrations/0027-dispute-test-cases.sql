set local lock_timeout = '2s';

-- The name of the scorecard's test case that a decided dispute is kept as. Null: it is not kept.
alter table dispute add column test_case text check (char_length(test_case) between 1 and 300);
-- GET /scorecards/{id}/test-cases
create index dispute_test_case on dispute (workspace_id, id) where test_case is not null;
