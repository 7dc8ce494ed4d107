set local lock_timeout = '2s';

-- GET /reviews?scorecard_id=…: in the order of ids, whatever the version. The prefix also serves the foreign key.
drop index review_by_scorecard;
create index review_by_scorecard on review (workspace_id, scorecard_id, id);
-- GET /reviews?state=draft, a reviewer's drafts, and the badge.
create index review_drafts on review (workspace_id, reviewer_id, id) where state = 'draft';
-- GET /reviews?disputed=true.
create index review_disputed on review (workspace_id, id) where dispute = 'open';

-- The agent of the review, so that an index serves an agent's disputes.
alter table dispute add column agent_id uuid;
alter table dispute no force row level security;
alter table review no force row level security;
update dispute set agent_id = review.agent_id from review
  where review.workspace_id = dispute.workspace_id and review.id = dispute.review_id;
alter table dispute force row level security;
alter table review force row level security;
alter table dispute alter column agent_id set not null;
create index dispute_by_agent on dispute (workspace_id, agent_id, id);

-- Answers to text questions are about the customer's call, like comments, and are erased with it.
alter table review_comment drop constraint review_comment_part_check, drop constraint review_comment_check;
alter table review_comment
  add constraint review_comment_part check (part in ('answer', 'text', 'review', 'reason')),
  add constraint review_comment_question check ((part in ('answer', 'text')) = (question_id <> ''));
