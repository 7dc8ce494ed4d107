import { expect, test } from "vitest";
import { splitStatements } from "./split-statements.ts";

test("splits at semicolons, except in quotes, dollar quotes and comments", () => {
  const text = `-- first; not the end
    create table a (b text default 'x;''y', "c;d" int); /* ; */
    do $$ begin perform 1; end $$;
    create function f() returns text language plpgsql as $body$ begin return $$;$$; end $body$;;
    select 1 -- the last has no semicolon`;
  expect(splitStatements(text)).toEqual([
    `create table a (b text default 'x;''y', "c;d" int)`,
    "do $$ begin perform 1; end $$",
    "create function f() returns text language plpgsql as $body$ begin return $$;$$; end $body$",
    "select 1",
  ]);
});
