interface ErrorDefinition {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 410 | 412 | 413 | 416 | 422 | 428 | 429 | 500 | 503;
  readonly title: string;
  /** An example of the response's `detail`: the text itself if it never varies. */
  readonly detail: string;
}

const sendJson = "Send a JSON object with Content-Type: application/json.";
const exampleId = "7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d";

/** All API error codes. Stable: a code never changes its meaning. docs/errors.md explains each (tested). */
export const errorCodes = {
  content_type_wrong: { status: 400, title: "Unsupported content type", detail: sendJson },
  body_malformed: {
    status: 400,
    title: "Malformed multipart form",
    detail: "The form ends before its closing boundary. Send multipart/form-data, as `curl -F` does.",
  },
  body_incomplete: {
    status: 400,
    title: "Incomplete request body",
    detail: "The request body ended early. Nothing was imported. Send the request again.",
  },
  body_too_slow: {
    status: 400,
    title: "The request body was sent too slowly",
    detail: "The body arrived at less than 1024 bytes per second. Send it again over a faster connection.",
  },
  json_malformed: {
    status: 400,
    title: "The request body is not a JSON object",
    detail: `The request body is not JSON. ${sendJson}`,
  },
  part_missing: { status: 400, title: "A required form part is missing", detail: 'Missing required part: "file".' },
  part_repeated: {
    status: 400,
    title: "A form part was sent more than once",
    detail: 'The part "agent_email" was sent more than once. Send it once.',
  },
  part_not_text: {
    status: 400,
    title: "A text part was sent as a file",
    detail: 'The part "metadata" was sent as a file. Send it as text, without a filename.',
  },
  part_not_file: {
    status: 400,
    title: "The file part was sent as text",
    detail: 'The part "file" was sent as text. Send it as a file, with a filename: curl -F file=@call.wav',
  },
  member_missing: {
    status: 400,
    title: "A required JSON member is missing",
    detail: 'Missing required member: "name".',
  },
  request_malformed: {
    status: 400,
    title: "Malformed HTTP request",
    detail: "The request is not valid HTTP/1.1.",
  },
  unauthenticated: {
    status: 401,
    title: "Not authenticated",
    detail:
      "The API key in the x-api-key header is malformed, unknown, expired or revoked. Send `x-api-key: hb_…` with a valid key; create one in the console or with `hearback-server key create`.",
  },
  sign_in_failed: {
    status: 401,
    title: "Incorrect email or password",
    detail: "Wrong email address or password.",
  },
  second_step_needed: {
    status: 401,
    title: "A second step is required",
    detail: "The password is right. Complete the second step with POST /session/second-step.",
  },
  second_step_failed: {
    status: 401,
    title: "Incorrect verification code",
    detail: "The code is wrong or was already used. Use a new code.",
  },
  second_step_expired: {
    status: 401,
    title: "The sign-in has expired",
    detail: "This sign-in has expired or was already completed. Sign in again.",
  },
  scope_missing: {
    status: 403,
    title: "The API key lacks a scope",
    detail: "This API key lacks the `read` scope. Use a key created with `--scope read`.",
  },
  key_exceeds_caller: {
    status: 403,
    title: "The other API key has more permissions than the caller",
    detail:
      "The other key has higher limits than this API key. Use a key with these permissions, sign in as an administrator, or use `hearback-server key`.",
  },
  key_restricted: {
    status: 403,
    title: "The API key is restricted to some campaigns",
    detail:
      "This API key is restricted to the campaign support-fr, but the request concerns the whole workspace. Use a key without this restriction.",
  },
  role_missing: {
    status: 403,
    title: "Your role does not allow this",
    detail: "This requires the role admin; yours is reviewer. Ask an administrator of your workspace.",
  },
  download_forbidden: {
    status: 403,
    title: "Agents cannot download recordings",
    detail:
      "Agents of this workspace can play calls but not download recordings. An administrator can allow it: workspace settings, `agents_can_download`.",
  },
  original_forbidden: {
    status: 403,
    title: "The original recording is not for everyone",
    detail:
      "The sound of this call is masked, so its original recording needs the user setting `listens_to_originals` or an API key with the `listen_original` scope. Play the masked copy instead, or ask an administrator.",
  },
  not_your_note: {
    status: 403,
    title: "The note belongs to another person",
    detail: "Only the author of a note may change it. Supervisors and administrators may delete it.",
  },
  not_your_review: {
    status: 403,
    title: "The review belongs to another reviewer",
    detail: "Only the reviewer who started this review may change it.",
  },
  picking_off: {
    status: 403,
    title: "Reviewers cannot pick calls",
    detail:
      "In this workspace, reviewers review the calls in their queue only. An administrator can change this: `reviewers_pick_calls` in the workspace settings.",
  },
  not_participant: {
    status: 403,
    title: "You do not take part in this calibration session",
    detail: "Only participants review calls for a calibration session. A supervisor can add you while it is open.",
  },
  not_arbiter: {
    status: 403,
    title: "You cannot decide this dispute",
    detail:
      "A dispute is decided by its arbiter or a supervisor, who is neither the reviewer nor the agent and has not decided before.",
  },
  session_needed: {
    status: 403,
    title: "A signed-in user is required",
    detail: "API keys have no user account. Remove the x-api-key header and sign in with POST /session.",
  },
  confirmation_needed: {
    status: 403,
    title: "Confirm your identity first",
    detail: "Confirm your identity to continue: POST /session/confirm with your password.",
  },
  two_step_required: {
    status: 403,
    title: "The workspace requires two-step verification",
    detail:
      "This workspace requires two-step verification. Set it up first: on your account page in the console, or see GET /session/two-step.",
  },
  password_sign_in_off: {
    status: 403,
    title: "Password sign-in is disabled",
    detail:
      "Password sign-in is turned off in this workspace. Sign in with the provider, or ask an administrator to turn it on.",
  },
  origin_forbidden: {
    status: 403,
    title: "The request comes from another origin",
    detail:
      "The request does not come from this service's origin, so the browser session is not accepted. If you see this in the console, PUBLIC_URL does not match the address in your browser.",
  },
  not_found: {
    status: 404,
    title: "Not found",
    detail: "This path does not exist. GET /docs lists all endpoints.",
  },
  campaign_not_found: {
    status: 404,
    title: "The campaign does not exist",
    detail:
      'There is no campaign "support-fr" in this workspace. List campaigns with GET /campaigns or `campaign list`.',
  },
  campaign_archived: {
    status: 404,
    title: "The campaign is archived",
    detail:
      'The campaign "support-fr" is archived and does not accept calls. Reactivate it, or import into another campaign.',
  },
  agent_not_found: {
    status: 404,
    title: "The agent does not exist",
    detail:
      'There is no agent "bob@example.com" in this workspace. Create the agent with POST /users/invite, then import the call again.',
  },
  user_not_agent: {
    status: 404,
    title: "The user is not an agent",
    detail:
      "rita@example.com is a reviewer, not an agent. Create an agent with another email address, or change the user's role (PATCH /users/{id}), then import the call again.",
  },
  user_not_found: {
    status: 404,
    title: "The user does not exist",
    detail: `There is no user ${exampleId} in this workspace. List users with GET /users or \`user list\`.`,
  },
  key_not_found: {
    status: 404,
    title: "The API key does not exist",
    detail: `There is no API key ${exampleId} in this workspace. List keys with GET /keys or \`key list\`.`,
  },
  team_not_found: {
    status: 404,
    title: "The team does not exist",
    detail: "There is no team 0190f3c2-6c0b-7d6e-9b0e-3b1f2c4d0f6a in this workspace. List teams with GET /teams.",
  },
  note_not_found: {
    status: 404,
    title: "The note does not exist",
    detail: "There is no such note on this call. GET /calls/{id}/notes lists its notes.",
  },
  review_not_found: {
    status: 404,
    title: "The review does not exist",
    detail: "There is no such review in this workspace, or you may not see it.",
  },
  plan_not_found: {
    status: 404,
    title: "The plan does not exist",
    detail: "There is no such plan in this workspace. List plans with GET /plans.",
  },
  draw_not_found: {
    status: 404,
    title: "The draw does not exist",
    detail: "There is no such draw in this workspace, or none of your calls is in it. List draws with GET /draws.",
  },
  assignment_not_found: {
    status: 404,
    title: "The assignment does not exist",
    detail: "There is no such assignment in this workspace, or it is on the queue of another reviewer.",
  },
  dispute_not_found: {
    status: 404,
    title: "The dispute does not exist",
    detail: "There is no such dispute in this workspace, or you may not see it.",
  },
  calibration_not_found: {
    status: 404,
    title: "The calibration session does not exist",
    detail: "There is no such calibration session in this workspace, or you may not see it.",
  },
  what_if_not_found: {
    status: 404,
    title: "The what-if run does not exist",
    detail: "There is no such what-if run in this workspace. Runs are deleted after 30 days.",
  },
  scorecard_not_found: {
    status: 404,
    title: "The scorecard does not exist",
    detail:
      "There is no scorecard 0190f3c2-6c0b-7d6e-9b0e-2c4d0f6a3b1f in this workspace. List scorecards with GET /scorecards.",
  },
  scorecard_version_not_found: {
    status: 404,
    title: "The version of the scorecard does not exist",
    detail: "The scorecard has no version 4. Its versions are listed by GET /scorecards/{id}/versions.",
  },
  call_not_found: {
    status: 404,
    title: "The call does not exist",
    detail: "There is no such call in this workspace.",
  },
  erasure_not_found: {
    status: 404,
    title: "The erasure does not exist",
    detail: "There is no such erasure in this workspace.",
  },
  hold_not_found: {
    status: 404,
    title: "The legal hold does not exist",
    detail: "There is no such legal hold in this workspace.",
  },
  session_not_found: {
    status: 404,
    title: "The session does not exist",
    detail: "Session not found. List sessions with GET /sessions.",
  },
  passkey_not_found: {
    status: 404,
    title: "The passkey does not exist",
    detail: "Passkey not found. List your passkeys with GET /session/two-step.",
  },
  link_ended: {
    status: 404,
    title: "The link is no longer valid",
    detail: "This link was already used, has expired, or was replaced by a newer one. Request a new link.",
  },
  webhook_not_found: {
    status: 404,
    title: "The webhook does not exist",
    detail: `There is no webhook ${exampleId} in this workspace. GET /webhooks lists them.`,
  },
  event_not_found: {
    status: 404,
    title: "The event does not exist",
    detail:
      "There is no event evt_9c1f27d05be84a6b93e0d7a25c46f81e for this webhook. GET /events lists those that are kept.",
  },
  transcript_not_found: {
    status: 404,
    title: "The call has no transcript",
    detail: "The call has no transcript: transcription is off in its campaign.",
  },
  method_not_allowed: {
    status: 405,
    title: "The method is not allowed",
    detail: "This path exists, but not with the method GET. Use POST.",
  },
  call_not_ready: {
    status: 409,
    title: "The call is not ready yet",
    detail: "The call is still being prepared. Try again in a moment, or wait for the call.ready event.",
  },
  call_failed: {
    status: 409,
    title: "Preparation of the call failed",
    detail:
      "Preparation of the call failed: The file looks like WAV, but no audio can be decoded from it. Export it again from the phone system and import the new file.",
  },
  transcript_changed: {
    status: 409,
    title: "The call was transcribed again",
    detail:
      "The call was transcribed again since you read its transcript, so positions of words have changed. Read it again, then correct it.",
  },
  correction_limit_reached: {
    status: 409,
    title: "Too many corrections",
    detail: "A transcript has at most 20000 corrections, including former ones.",
  },
  transcription_off: {
    status: 409,
    title: "Transcription is off",
    detail:
      "Transcription is off in the campaign support-fr. An administrator can turn it on: PATCH /campaigns/support-fr with a transcription_language.",
  },
  transcription_not_configured: {
    status: 409,
    title: "No transcription engine",
    detail:
      "The operator of this server has not configured a transcription engine, so calls cannot be transcribed. Ask them to set TRANSCRIBER_URL or TRANSCRIBER_MODEL_DIR.",
  },
  call_ready: {
    status: 409,
    title: "The call is already ready",
    detail: "The call is ready. There is nothing to retry.",
  },
  user_exists: {
    status: 409,
    title: "The user already exists",
    detail: "A user with this email address already exists. Nothing was changed.",
  },
  workspace_ambiguous: {
    status: 409,
    title: "Choose a workspace",
    detail: "The password is valid in several workspaces. Send the request again with the workspace_id of one of them.",
  },
  user_deactivated: {
    status: 409,
    title: "The user is deactivated",
    detail: "The user is deactivated. Reactivate them first with PATCH /users/{id}.",
  },
  password_sign_in_needed: {
    status: 409,
    title: "Password sign-in cannot be disabled",
    detail:
      "Password sign-in cannot be turned off. No administrator of this workspace has signed in with the provider yet. Sign in with it first.",
  },
  last_admin: {
    status: 409,
    title: "The user is the last administrator",
    detail:
      "This is the last administrator of the workspace who can sign in. Make another user an administrator first.",
  },
  last_factor: {
    status: 409,
    title: "This is your last second factor",
    detail: "Your workspace requires two-step verification. Add another factor before you remove this one.",
  },
  passkey_limit_reached: {
    status: 409,
    title: "Passkey limit reached",
    detail: "You have 20 passkeys, which is the maximum. Remove one first.",
  },
  on_hold: {
    status: 409,
    title: "A legal hold applies",
    detail:
      "A legal hold covers this call, its agent or its campaign. Release the hold first; GET /holds lists all holds.",
  },
  erasure_running: {
    status: 409,
    title: "The erasure is still running",
    detail: "The erasure is still running. Try again when its state is `done`.",
  },
  campaign_exists: {
    status: 409,
    title: "The campaign already exists",
    detail: 'A campaign with the id "support-fr" already exists. Nothing was changed.',
  },
  team_exists: {
    status: 409,
    title: "The team already exists",
    detail: 'A team with the name "Support Lyon" already exists. Nothing was changed.',
  },
  team_limit_reached: {
    status: 409,
    title: "Team limit reached",
    detail: "This workspace has reached the limit of 500 teams. Delete a team that you no longer use.",
  },
  note_limit_reached: {
    status: 409,
    title: "Too many notes",
    detail: "A call can have 500 notes. Delete some first.",
  },
  review_state_wrong: {
    status: 409,
    title: "The review is in another state",
    detail: "The review is released. This is possible only while it is submitted.",
  },
  review_not_counted: {
    status: 409,
    title: "The review only measures agreement",
    detail:
      "Calibration reviews and blind second reviews show how far reviewers agree. They do not count for the agent, so they are never released or corrected.",
  },
  calibration_closed: {
    status: 409,
    title: "The calibration session is closed",
    detail: "The calibration session is closed. Its calls can no longer be scored, and it can no longer be changed.",
  },
  calibration_open: {
    status: 409,
    title: "The calibration session is open",
    detail: "Answers stay hidden until the calibration session is closed. Close it first.",
  },
  calibration_started: {
    status: 409,
    title: "A review of the calibration session was submitted",
    detail:
      "A participant has submitted a review. The session can no longer be deleted, and no call or participant can be removed.",
  },
  own_call: {
    status: 409,
    title: "The call is your own",
    detail: "You are the agent of this call. Another person must review it, and release, correct or void the review.",
  },
  plan_ended: {
    status: 409,
    title: "The plan has ended",
    detail: "This plan has ended. Create a new one.",
  },
  plan_limit_reached: {
    status: 409,
    title: "Too many plans",
    detail: "This workspace has reached the limit of 100 active plans. End a plan that you no longer use.",
  },
  draw_not_drawn: {
    status: 409,
    title: "The calls are not drawn yet",
    detail: "The proof exists once the calls are drawn, on 2026-11-15T23:10:00.000Z or shortly after.",
  },
  nonce_fixed: {
    status: 409,
    title: "The nonce cannot be changed any more",
    detail: "The frame of this draw is being closed or is closed. Set the nonce of the next draw.",
  },
  assignment_closed: {
    status: 409,
    title: "The assignment is not open",
    detail: "This call is already reviewed or skipped.",
  },
  call_erased: {
    status: 409,
    title: "The call was erased",
    detail:
      "The call of this review was erased, so no text about it is stored. Send the request again with empty reasons and explanations, and without notes, comments and moments.",
  },
  draft_complete: {
    status: 409,
    title: "The reviewer has answered every question",
    detail:
      "The draft of this call can be submitted, and would be deleted. Ask the reviewer to submit it, or send discard_draft: true to delete it.",
  },
  reviewer_excluded: {
    status: 409,
    title: "This person cannot review the call",
    detail:
      "They are the agent of the call, lead the agent's team, have the other review of this call, or have reviewed it with this scorecard already.",
  },
  scorecard_not_for_call: {
    status: 409,
    title: "The scorecard is not for this call",
    detail: "The scorecard is for other campaigns. GET /scorecards?campaign_id=… lists the scorecards for the call.",
  },
  draft_exists: {
    status: 409,
    title: "There is a draft already",
    detail: "The reviewer has started another review of this call on this scorecard. Submit or discard it first.",
  },
  reopened_draft: {
    status: 409,
    title: "The draft was submitted before",
    detail:
      "This review was submitted and reopened, so it cannot be discarded. Submit it again; a supervisor can void it then.",
  },
  nothing_corrected: {
    status: 409,
    title: "Nothing changed",
    detail: "The review has these answers already. Nothing was changed.",
  },
  not_disputable: {
    status: 409,
    title: "The review cannot be disputed",
    detail: "The time to object is over, a dispute is open, or the decision is final.",
  },
  dispute_resolved: {
    status: 409,
    title: "The dispute is resolved",
    detail: "The dispute was decided meanwhile. Nothing was changed.",
  },
  dispute_lowers_score: {
    status: 409,
    title: "The decision would lower the score",
    detail: "A dispute never lowers the score. Uphold the answer, or choose one with at least as many points.",
  },
  draft_missing: {
    status: 409,
    title: "There is no draft",
    detail: "The scorecard has no draft. Save one first with PUT /scorecards/{id}/draft.",
  },
  scorecard_unchanged: {
    status: 409,
    title: "Nothing to publish",
    detail: "The draft is the same as version 3. Nothing was published.",
  },
  scorecard_not_published: {
    status: 409,
    title: "The scorecard was never published",
    detail: "The scorecard has no published version to compare with. Publish it first.",
  },
  what_if_limit_reached: {
    status: 409,
    title: "Too many what-if runs",
    detail: "3 what-if runs of this scorecard have not ended. Wait for one of them, or cancel it.",
  },
  scorecard_limit_reached: {
    status: 409,
    title: "Scorecard limit reached",
    detail: "This workspace has reached the limit of 1,000 scorecards. Retired scorecards count, too.",
  },
  key_ended: {
    status: 409,
    title: "The API key is revoked, expired or replaced",
    detail: `The key ${exampleId} is revoked. Create a new key with POST /keys.`,
  },
  last_manage_key: {
    status: 409,
    title: "This is the last API key that can manage the workspace",
    detail: `The key ${exampleId} is the last one that can manage this workspace for another day. Create another key with the \`manage\` scope first (POST /keys), or rotate this one (POST /keys/${exampleId}/rotate).`,
  },
  webhook_limit_reached: {
    status: 409,
    title: "Webhook limit reached",
    detail:
      "This workspace has reached the limit of 50 webhooks. Delete one that you no longer use (DELETE /webhooks/{id}).",
  },
  webhook_disabled: {
    status: 409,
    title: "The webhook is disabled",
    detail: `The webhook is disabled (failing). Enable it first: PATCH /webhooks/${exampleId} with {"enabled": true}.`,
  },
  audio_lost: {
    status: 410,
    title: "The audio is missing from the object store",
    detail: "The audio is missing from the object store. The server operator can restore it from a backup.",
  },
  original_erased: {
    status: 410,
    title: "The original recording was erased",
    detail:
      "The original recording of this call was erased after its sound was masked, as its campaign requires. The masked playback copy remains.",
  },
  cursor_expired: {
    status: 410,
    title: "The cursor has expired",
    detail:
      "Events after this cursor have expired and were deleted, so continuing from here would skip them. Read again without `cursor` to start at the oldest event that is kept, and reconcile with the data you have.",
  },
  recording_too_large: {
    status: 413,
    title: "The recording is too large",
    detail:
      "The recording is larger than 536,870,912 bytes, the limit of this installation. Compress it, or ask the server operator to raise MAX_RECORDING_BYTES.",
  },
  body_too_large: {
    status: 413,
    title: "The request body is too large",
    detail: "The request body is larger than this endpoint allows (usually 64 KiB). Send less data per request.",
  },
  range_not_satisfiable: {
    status: 416,
    title: "Range not satisfiable",
    detail: "The file has 48000 bytes, numbered from 0. Request a range within it.",
  },
  review_changed: {
    status: 412,
    title: "The review was changed meanwhile",
    detail: "The review was changed meanwhile, for example in another window. The response contains its current state.",
  },
  if_match_missing: {
    status: 428,
    title: "The If-Match header is missing",
    detail: 'Send the number of the state that you change, such as If-Match: "4".',
  },
  draft_changed: {
    status: 412,
    title: "The draft was changed meanwhile",
    detail:
      "The draft was changed meanwhile, in another window or by another person. Its number is 5 now. Load it again.",
  },
  review_incomplete: {
    status: 422,
    title: "The review is incomplete",
    detail: "1 answer is missing or invalid. `errors` lists them.",
  },
  answer_invalid: {
    status: 422,
    title: "The answer is invalid",
    detail: 'The answer to "greeting" must be "yes" or "no".',
  },
  scorecard_invalid: {
    status: 422,
    title: "The scorecard has errors",
    detail: "The scorecard has 1 error. Fix what `findings` lists, then publish it again.",
  },
  fields_invalid: {
    status: 422,
    title: "Invalid values",
    detail: "limit must be a whole number from 1 to 100.",
  },
  recording_empty: {
    status: 422,
    title: "The recording is empty",
    detail: "The MP3 file has a header but no audio. Send a recording that contains audio.",
  },
  recording_not_audio: {
    status: 422,
    title: "The file is not a supported recording",
    detail: "The file is an image. Send a WAV, MP3, M4A, AAC, Ogg, FLAC, AMR, WebM or AU recording.",
  },
  recording_truncated: {
    status: 422,
    title: "The recording is truncated",
    detail: "The WAV file ends before its audio. Send the complete recording again.",
  },
  rate_exceeded: {
    status: 429,
    title: "Too many requests",
    detail:
      "This API key has exceeded its limit of 200 requests per second. Retry after the number of seconds in Retry-After and send fewer requests at a time, or ask the server operator to raise the limit (`hearback-server key limits … --requests-per-second`).",
  },
  too_many_uploads: {
    status: 429,
    title: "Too many concurrent uploads",
    detail:
      "This API key has reached its limit of 50 concurrent uploads. Send the recording when another upload has finished, or ask the server operator to raise the limit (`hearback-server key limits … --uploads-at-once`).",
  },
  too_many_downloads: {
    status: 429,
    title: "Too many concurrent downloads",
    detail:
      "This API key or user has reached the limit of 50 concurrent downloads. Finish or close another download first, or ask the server operator to raise LIMIT_KEY_DOWNLOADS_AT_ONCE.",
  },
  quota_exceeded: {
    status: 429,
    title: "The workspace quota is exceeded",
    detail:
      "This workspace has reached its limit of 10,000 imported calls per day. Retry after midnight UTC, or ask the server operator to raise the limit (`hearback-server workspace limits … --calls-per-day`).",
  },
  sign_in_limited: {
    status: 429,
    title: "Too many sign-in attempts",
    detail: "Too many attempts. Wait 30 seconds, then try again.",
  },
  sign_in_busy: {
    status: 503,
    title: "Sign-in is busy",
    detail: "Too many people are signing in right now. Try again in a few seconds.",
  },
  database_unavailable: {
    status: 503,
    title: "The database is unavailable",
    detail: "The database is unavailable. Send the request again: a call is never imported twice.",
  },
  storage_unavailable: {
    status: 503,
    title: "The object store is unavailable",
    detail: "The object store is unavailable. Nothing was changed. Try again later.",
  },
  internal: {
    status: 500,
    title: "Internal error",
    detail: "An internal error occurred. If it happens again, send the request id to the server operator.",
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorCodes;
