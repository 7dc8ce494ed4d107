import { record } from "../audit/record.ts";
import { system } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";
import { findPeople, type Person } from "./find-people.ts";
import { signInGuesses } from "./guess.ts";
import type { Passwords } from "./passwords.ts";
import { type StartedSession, signInFailed, startSession } from "./start-session.ts";
import type { Tries } from "./tries.ts";

export interface SignInInput {
  readonly email: string;
  readonly password: string;
  /** Where, if it is known. */
  readonly workspaceId: string | undefined;
  readonly userAgent: string | undefined;
  /** Where the request came from. */
  readonly address: string;
}

/** What stands between who guesses and who is guessed. */
export interface Guard {
  readonly passwords: Passwords;
  readonly tries: Tries;
}

/** In so many workspaces a password is tried; in more, whoever signs in says where. */
const mostTried = 10;

/** Signs somebody in by e-mail and password. Unknown, wrong, deactivated and without a password fail alike. */
export async function signIn(app: App, { passwords, tries }: Guard, input: SignInInput): Promise<StartedSession> {
  const { email, userAgent } = input;
  const taken = await tries.require(signInGuesses(email, input.address));
  const { people, fitting, everywhere } = await check(app, passwords, input).catch(async (error: unknown) => {
    await tries.takeBack(taken);
    throw error;
  });
  // Who has the address in a workspace of their own knows a password of it: that proves nothing for the others.
  if (fitting.length > 0) await (everywhere ? tries.forgive(taken) : tries.takeBack(taken));
  if (fitting.length > 1) throw ambiguous(fitting);
  const [person] = fitting;
  if (!person) {
    // Not waited for: how long it takes would tell that there is such a person.
    void noteFailure(app, people);
    throw signInFailed();
  }
  return inWorkspace(app, person.workspaceId, (tx) =>
    startSession(app, tx, { ...person, signedInBy: "password", userAgent }),
  );
}

async function check(app: App, passwords: Passwords, { email, password, workspaceId }: SignInInput) {
  const named = await findPeople(app, email);
  const people = named.filter((person) => !workspaceId || person.workspaceId === workspaceId);
  const meant = withPassword(people);
  // At least one check, also where there is nobody: an answer that comes sooner would tell.
  if (meant.length === 0) await passwords.fits(password, null);
  const fitting = await whereItFits(passwords, password, meant.slice(0, mostTried));
  const others = fitting.length > 0 ? withPassword(named).filter((person) => !meant.includes(person)) : [];
  const everywhere =
    fitting.length === meant.length &&
    others.length <= mostTried &&
    (await whereItFits(passwords, password, others)).length === others.length;
  return { people, fitting, everywhere };
}

const withPassword = (people: readonly Person[]) => people.filter(({ passwordHash }) => passwordHash !== null);

async function whereItFits(passwords: Passwords, password: string, people: readonly Person[]): Promise<Person[]> {
  const fitting: Person[] = [];
  for (const person of people) if (await passwords.fits(password, person.passwordHash)) fitting.push(person);
  return fitting;
}

/** Leaves it in the audit log of whoever could have been meant. */
export async function noteFailure(app: App, people: readonly Person[]): Promise<void> {
  for (const { workspaceId, userId } of people.slice(0, mostTried)) {
    await inWorkspace(app, workspaceId, (tx) =>
      record(tx, workspaceId, { actor: system, action: "session.failed", subject: { type: "user", id: userId } }),
    ).catch((err) => app.log.warn({ err, workspaceId }, "a failed sign-in is not in the audit log"));
  }
}

const ambiguous = (people: readonly Person[]) =>
  new AppError(
    "workspace_ambiguous",
    "The password is right in several workspaces. Send it again with the workspace_id of one.",
    {
      members: {
        workspaces: people.map(({ workspaceId, workspaceName }) => ({ id: workspaceId, name: workspaceName })),
      },
    },
  );
