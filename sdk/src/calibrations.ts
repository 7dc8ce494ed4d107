import { type Items, paged } from "./pages.ts";
import { inSnakeCase } from "./snake-case.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type {
  AgreementReportBody,
  CalibrationAnswersBody,
  CalibrationBody,
  CalibrationDecidedBody,
  CalibrationDetailBody,
  CalibrationPageBody,
  CalibrationResultsBody,
  CalibrationState,
} from "./wire.ts";

export interface ListCalibrations extends RequestOptions {
  readonly state?: CalibrationState | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

interface CalibrationSettings extends RequestOptions {
  /** When the participants should be done. Nothing closes by itself. */
  readonly dueAt?: Date | null | undefined;
  /** A participant whom the others are compared with. null: the median of all. */
  readonly expertId?: string | null | undefined;
}

export interface CreateCalibration extends CalibrationSettings {
  readonly name: string;
  /** The session uses the version that is the latest now. */
  readonly scorecardId: string;
  /** 1 to 50. */
  readonly callIds: readonly string[];
  /** 2 to 50 reviewers, supervisors or administrators. */
  readonly participantIds: readonly string[];
}

export interface ChangeCalibration extends CalibrationSettings {
  readonly name?: string | undefined;
  readonly addCallIds?: readonly string[] | undefined;
  /** Only before the first submission. */
  readonly removeCallIds?: readonly string[] | undefined;
  readonly addParticipantIds?: readonly string[] | undefined;
  /** Only before the first submission. */
  readonly removeParticipantIds?: readonly string[] | undefined;
}

export interface DecideCalibration extends RequestOptions {
  /** Empty: removes the decision. */
  readonly text: string;
  /** true: adds the text to the guidance of the question, in the draft of the scorecard. */
  readonly apply?: boolean | undefined;
}

export interface FindAgreement extends RequestOptions {
  readonly scorecardId: string;
  /** Second reviews submitted at or after this time. */
  readonly from?: Date | undefined;
  /** Second reviews submitted before this time. */
  readonly to?: Date | undefined;
}

export function openCalibrations(transport: Transport) {
  const list = paged(
    ({ signal, ...query }: ListCalibrations) =>
      transport.json<CalibrationPageBody>({ method: "GET", path: "/calibrations", query, signal }),
    ({ calibrations, next }) => ({ items: calibrations, next }),
  );
  return {
    /** Newest first. Reviewers see those that they take part in. */
    list: (filter: ListCalibrations = {}): Items<CalibrationBody> => list.all(filter),
    page: (filter: ListCalibrations = {}): Promise<CalibrationPageBody> => list.page(filter),
    find: (id: string, options: RequestOptions = {}): Promise<CalibrationDetailBody> =>
      transport.json({ method: "GET", path: pathOf(id), ...options }),
    create: ({ signal, ...body }: CreateCalibration): Promise<CalibrationDetailBody> =>
      transport.json({ method: "POST", path: "/calibrations", body: inSnakeCase(body), signal }),
    change: (id: string, { signal, ...body }: ChangeCalibration): Promise<CalibrationDetailBody> =>
      transport.json({ method: "PATCH", path: pathOf(id), body: inSnakeCase(body), signal }),
    /** Makes the answers visible. Drafts can no longer be submitted. */
    close: (id: string, options: RequestOptions = {}): Promise<CalibrationDetailBody> =>
      transport.json({ method: "POST", path: pathOf(id, "/close"), ...options }),
    /** While nobody has submitted a review. */
    delete: (id: string, options: RequestOptions = {}): Promise<void> =>
      transport.send({ method: "DELETE", path: pathOf(id), ...options }),
    /** Scores, agreement and distances of a closed session. */
    results: (id: string, options: RequestOptions = {}): Promise<CalibrationResultsBody> =>
      transport.json({ method: "GET", path: pathOf(id, "/results"), ...options }),
    /** The answers to a question of a closed session, side by side. */
    answers: (id: string, question: string, options: RequestOptions = {}): Promise<CalibrationAnswersBody> =>
      transport.json({ method: "GET", path: pathOf(id, `/answers/${encodeURIComponent(question)}`), ...options }),
    /** Saves what was decided about a question of a closed session. */
    decide: (id: string, question: string, { signal, ...body }: DecideCalibration): Promise<CalibrationDecidedBody> =>
      transport.json({ method: "PUT", path: pathOf(id, `/decisions/${encodeURIComponent(question)}`), body, signal }),
    /** Agreement of first reviews with their blind second reviews. */
    agreement: ({ signal, ...query }: FindAgreement): Promise<AgreementReportBody> =>
      transport.json({ method: "GET", path: "/agreement", query, signal }),
  };
}
export type Calibrations = ReturnType<typeof openCalibrations>;

const pathOf = (id: string, rest = "") => `/calibrations/${encodeURIComponent(id)}${rest}`;
