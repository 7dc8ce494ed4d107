-- migrate: no transaction
-- Whether all reviews of a draw are done.
create index concurrently assignment_unfinished on assignment (workspace_id, draw_id) where state in ('pending', 'open');
