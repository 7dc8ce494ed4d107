import { keyRestricted, roleMissing, scopeMissing, sessionNeeded, twoStepRequired } from "../../caller.ts";
import {
  bodyIncomplete,
  bodyMalformed,
  bodyTooLarge,
  bodyTooSlow,
  contentTypeWrong,
  type DocumentedError,
  databaseUnavailableError,
  fieldsInvalid,
  internalError,
  jsonMalformed,
  limitErrors,
  memberMissing,
  originForbidden,
  partMissing,
  partNotFile,
  partNotText,
  partRepeated,
  rangeNotSatisfiable,
  recordingTooLarge,
  storageUnavailable,
  unauthenticated,
} from "../../errors.ts";
import type { Route } from "../route.ts";

/** Errors that are documented together, with the name of their response. */
export const errorGroups: Readonly<Record<string, readonly DocumentedError[]>> = {
  Forbidden: [scopeMissing, roleMissing, keyRestricted, originForbidden, twoStepRequired],
  SessionForbidden: [sessionNeeded, roleMissing, originForbidden, twoStepRequired],
  MalformedForm: [
    ...[contentTypeWrong, bodyMalformed, bodyIncomplete, bodyTooSlow],
    ...[partMissing, partRepeated, partNotText, partNotFile],
  ],
  MalformedJson: [contentTypeWrong, jsonMalformed, memberMissing],
  Unavailable: [databaseUnavailableError, storageUnavailable],
};

/** The errors that follow from how a route is accessed and from what it accepts. */
export function impliedErrors(route: Route): DocumentedError[] {
  return [...ofAccess(route), ...ofLimits(route), ...ofInput(route), internalError, databaseUnavailableError];
}

function ofAccess({ access, method }: Route): readonly DocumentedError[] {
  if (access === "public") return method === "GET" ? [] : [originForbidden];
  const { Forbidden = [], SessionForbidden = [] } = errorGroups;
  return [unauthenticated, ...(access === "session" ? SessionForbidden : Forbidden)];
}

function ofLimits({ upload, download }: Route): DocumentedError[] {
  const { rate_exceeded, too_many_uploads, too_many_downloads, quota_exceeded } = limitErrors;
  if (upload) return [rate_exceeded, too_many_uploads, quota_exceeded];
  return download ? [rate_exceeded, too_many_downloads] : [rate_exceeded];
}

function ofInput({ query, body, form, answers, ifMatch }: Route): readonly DocumentedError[] {
  const { MalformedForm = [], MalformedJson = [] } = errorGroups;
  if (form) return [...MalformedForm, recordingTooLarge, fieldsInvalid, storageUnavailable];
  if (body) return [...MalformedJson, bodyTooLarge, fieldsInvalid];
  const requiresQuery = Object.values(query?.shape ?? {}).some((field) => !field.safeParse(undefined).success);
  return [
    ...(requiresQuery ? [memberMissing] : []),
    ...(query || ifMatch ? [fieldsInvalid] : []),
    ...(206 in answers ? [rangeNotSatisfiable, storageUnavailable] : []),
  ];
}
