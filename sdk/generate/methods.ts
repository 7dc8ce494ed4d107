/** A method of the SDK and the operation that it calls. */
export interface MethodOptions {
  readonly operation: string;
  /** Members of the body that are parameters of their own, with their type if it is not that of openapi.json. */
  readonly positional?: readonly string[];
  /** The other members of the body are arguments, too. */
  readonly rest?: true;
  /** The positional members may be omitted. */
  readonly optional?: true;
  /** Type of a parameter that is sent as the body, as it is. */
  readonly body?: string;
  /** The type of the arguments, if it is written by hand in src/arguments.ts. */
  readonly typed?: string;
  /** Values that are always sent. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** A POST request that can be repeated: always, or if this member is given. */
  readonly repeatable?: true | string;
  /** Otherwise optional, for operations that have it. */
  readonly ifMatch?: "required";
  /** The member that a complete response has. */
  readonly complete?: string;
  /** The type of the response, if openapi.json has another one for it. */
  readonly response?: string;
  readonly about?: string;
}
export type Method = string | MethodOptions;

/** Written by hand, listed for the documentation. */
export const byHand = "by hand";

/** All groups of methods. Names that end in "page" return a page of a list; others iterate over all pages. */
export const groups: Readonly<Record<string, Readonly<Record<string, Method>>>> = {
  audit: { list: "listAuditEntries", page: "listAuditEntries", export: "exportAuditEntries" },
  calibrations: {
    list: "listCalibrations",
    page: "listCalibrations",
    find: "getCalibration",
    create: "createCalibration",
    change: "changeCalibration",
    close: "closeCalibration",
    delete: "deleteCalibration",
    results: "getCalibrationResults",
    answers: "getCalibrationAnswers",
    decide: "decideCalibration",
    agreement: "getAgreement",
  },
  calls: {
    audio: byHand,
    audioUrl: byHand,
    waveform: byHand,
    speech: "getSpeech",
    export: byHand,
    exportUrl: byHand,
    import: byHand,
    lookUp: byHand,
    search: byHand,
    page: byHand,
    find: "getCall",
    change: byHand,
    erase: "eraseCall",
    prepare: { operation: "prepareCall", repeatable: true, response: "CallDetailBody" },
    changes: "listCallChanges",
    changesPage: "listCallChanges",
  },
  callNotes: { list: "listNotes", create: "createNote", change: "changeNote", delete: "deleteNote" },
  campaigns: {
    list: "listCampaigns",
    page: "listCampaigns",
    find: "getCampaign",
    create: { operation: "createCampaign", repeatable: "id" },
    change: "changeCampaign",
  },
  disputes: {
    list: "listDisputes",
    page: "listDisputes",
    find: "getDispute",
    open: { operation: "openDispute", positional: ["items"] },
    assign: {
      operation: "changeDispute",
      positional: ["arbiter_id"],
      about: "Gives an open dispute to another arbiter.",
    },
    keepAsTestCase: {
      operation: "changeDispute",
      positional: ["test_case"],
      about: "Keeps a decided dispute as a test case of its scorecard, with this name. null: no longer.",
    },
    resolve: { operation: "resolveDispute", positional: ["items"] },
  },
  plans: {
    list: "listPlans",
    page: "listPlans",
    find: "getPlan",
    create: { operation: "createPlan", body: "PlanInput" },
    preview: { operation: "previewPlan", body: "Partial<PlanInput>" },
    change: { operation: "changePlan", body: "Partial<PlanInput>" },
    end: { operation: "changePlan", fixed: { ended: true }, about: "Ends the plan after its current period." },
  },
  draws: {
    list: "listDraws",
    page: "listDraws",
    find: "getDraw",
    setNonce: { operation: "setDrawNonce", positional: ["nonce"] },
    proof: "getDrawProof",
    reviewers: "listDrawReviewers",
  },
  assignments: {
    list: "listAssignments",
    page: "listAssignments",
    queue: "getQueue",
    skip: "skipAssignment",
    handBack: "handBackAssignment",
    reassign: { operation: "reassign", positional: ["reviewer_id"], rest: true },
  },
  erasures: {
    preview: { operation: "previewErasure", typed: "ErasureTarget", repeatable: true },
    request: { operation: "requestErasure", typed: "ErasureTarget" },
    list: "listErasures",
    page: "listErasures",
    find: "getErasure",
    certificate: { operation: "getErasureCertificate", response: "CertificateBody" },
  },
  events: { page: byHand, follow: byHand },
  holds: {
    create: { operation: "createHold", typed: "CreateHold" },
    list: "listHolds",
    page: "listHolds",
    release: "releaseHold",
  },
  imports: { summary: "getImportSummary" },
  keys: {
    list: "listKeys",
    page: "listKeys",
    create: "createKey",
    find: "getKey",
    change: "changeKey",
    revoke: "revokeKey",
    rotate: "rotateKey",
  },
  limits: { find: "getLimits" },
  reviews: {
    list: "listReviews",
    page: "listReviews",
    export: "exportReviews",
    find: "getReview",
    start: "startReview",
    saveAnswer: { operation: "saveAnswer", body: "ReviewAnswer", ifMatch: "required" },
    changeDraft: "changeReview",
    discard: "discardReview",
    submit: {
      operation: "submitReview",
      ifMatch: "required",
      about: 'Submits a review. Throws a ServiceError with code "review_incomplete" if answers are missing.',
    },
    reopen: "reopenReview",
    release: "releaseReview",
    releaseMany: { operation: "releaseReviews", positional: ["ids"] },
    correct: "correctReview",
    void: { operation: "voidReview", positional: ["reason"] },
    acknowledge: { operation: "acknowledgeReview", positional: ["note"], optional: true },
    waiting: "getWaiting",
  },
  scorecards: {
    list: "listScorecards",
    page: "listScorecards",
    find: "getScorecard",
    create: "createScorecard",
    change: "changeScorecard",
    saveDraft: { operation: "saveScorecardDraft", positional: ["document"] },
    discardDraft: "discardScorecardDraft",
    publish: {
      operation: "publishScorecard",
      about:
        'Publishes the draft as the next version. Throws a ServiceError with code "scorecard_invalid" if the linter finds errors.',
    },
    testCases: "listTestCases",
    versionsPage: "listScorecardVersions",
    version: "getScorecardVersion",
  },
  scores: {
    overview: "getScoresOverview",
    coverage: "getCoverage",
    agents: "listAgentScores",
    agentsPage: "listAgentScores",
    reviewers: "listReviewerScores",
    reviewersPage: "listReviewerScores",
    mine: "getOwnScores",
  },
  session: {
    options: "getSessionOptions",
    signIn: {
      operation: "signIn",
      about:
        'Signs in. Throws a ServiceError with code "second_step_needed" if the user has a second factor: continue with `secondStep`.',
    },
    secondStep: "finishSignIn",
    beginPasskeySignIn: "beginPasskeySignIn",
    signInByPasskey: { operation: "signInByPasskey", positional: ["credential: object"] },
    find: "getSession",
    change: "changeSessionUser",
    signOut: "signOut",
    changePassword: "changePassword",
    confirm: "confirmSession",
    forgotPassword: "forgotPassword",
    inspectLink: {
      operation: "inspectLink",
      positional: ["token"],
      repeatable: true,
      about:
        'Returns the kind of a link and who it is for. Throws a ServiceError with code "link_ended" if it is no longer valid.',
    },
    redeemLink: "redeemLink",
    list: "listSessions",
    page: "listSessions",
    end: "endSession",
  },
  teams: {
    list: "listTeams",
    create: "createTeam",
    rename: { operation: "changeTeam", typed: "SaveTeam", about: "Renames a team." },
    setLead: {
      operation: "changeTeam",
      positional: ["lead_id"],
      about: "Says who leads the team. null: nobody.",
    },
    delete: "deleteTeam",
  },
  transcripts: {
    find: { operation: "getTranscript", fixed: { format: "json" } },
    download: byHand,
    correct: "correctTranscript",
    request: { operation: "transcribeCall", repeatable: true, response: "CallDetailBody" },
    matches: "listTranscriptMatches",
    usage: "getTranscriptionUsage",
  },
  twoStep: {
    find: "getTwoStep",
    beginTotp: "beginTotp",
    confirmTotp: { operation: "confirmTotp", positional: ["code"] },
    removeTotp: "removeTotp",
    beginPasskey: "beginPasskey",
    addPasskey: { operation: "addPasskey", positional: ["name", "credential: object"] },
    removePasskey: "removePasskey",
    createRecoveryCodes: "createRecoveryCodes",
  },
  users: {
    invite: { operation: "inviteUser", repeatable: true, complete: "id" },
    sendInvitation: "sendInvitation",
    resetTwoStep: "resetTwoStep",
    list: "listUsers",
    page: "listUsers",
    find: "getUser",
    unlinkProvider: "unlinkProvider",
    change: "changeUser",
  },
  webhooks: {
    list: "listWebhooks",
    create: "createWebhook",
    find: "getWebhook",
    change: "changeWebhook",
    delete: "deleteWebhook",
    rotateSecret: "rotateWebhookSecret",
    test: "testWebhook",
    deliveries: "listWebhookDeliveries",
    deliveriesPage: "listWebhookDeliveries",
    replay: "replayWebhook",
  },
  whatIfs: {
    list: "listWhatIfs",
    page: "listWhatIfs",
    start: "startWhatIf",
    find: "getWhatIf",
    cancel: "cancelWhatIf",
  },
  workspace: { find: "getWorkspace", countWithoutTwoStep: "getTwoStepCounts", change: "changeWorkspace" },
};

/** Names of argument types that differ from their operation's, because users of the SDK have them. */
export const argumentTypes: Readonly<Record<string, string>> = {
  listAuditEntries: "ListAudit",
  exportAuditEntries: "ExportAudit",
  getAgreement: "FindAgreement",
  getImportSummary: "SummarizeImports",
  listWebhookDeliveries: "ListDeliveries",
  replayWebhook: "ReplayEvents",
  finishSignIn: "SecondStep",
};
