import { expect } from "vitest";
import type { Answer } from "./http.ts";
import type { Problem } from "./service.ts";

/** Asserts a well-formed problem with this status and, if given, one of these codes. */
export function expectProblem(answer: Answer, status: number, ...codes: readonly string[]): Problem {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers["content-type"]).toMatch(/^application\/problem\+json\b/);
  // The members are asserted below.
  const problem = answer.body as Problem;
  if (codes.length > 0) expect(codes, answer.text).toContain(problem.code);
  expect(problem, answer.text).toMatchObject({
    type: `/errors/${problem.code}`,
    title: expect.stringMatching(/\S/),
    status,
    code: expect.stringMatching(/^[a-z][a-z0-9_]*$/),
    detail: expect.stringMatching(/\S/),
    request_id: expect.stringMatching(/\S/),
  });
  expect(answer.headers["x-request-id"]).toBe(problem.request_id);
  for (const error of problem.errors ?? []) {
    expect(error, answer.text).toEqual({
      part: expect.any(String),
      code: expect.stringMatching(/^[a-z][a-z0-9_]*$/),
      detail: expect.stringMatching(/\S/),
    });
  }
  return problem;
}

/** Asserts that `errors` lists exactly these parts or members. */
export function expectPartsNamed(problem: Problem, ...parts: readonly string[]): void {
  const named = new Set(problem.errors?.map((error) => error.part));
  expect([...named].sort(), JSON.stringify(problem)).toEqual([...parts].sort());
}

/** All details of the problem, or those of one part. */
export function detailsOf(problem: Problem, part?: string): string {
  const errors = (problem.errors ?? []).filter((error) => part === undefined || error.part === part);
  return [problem.detail, ...errors.map((error) => error.detail)].join("\n");
}
