import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, type PeerCertificate, type TLSSocket } from "node:tls";
import { pluralize } from "../terminal/units.ts";
import type { Check } from "./check.ts";

const timeoutMs = 5000;
const dayMs = 24 * 60 * 60 * 1000;

/** Checks DNS, TCP and TLS in this order. Stops at the first failure. */
export async function* checkNetwork(address: string): AsyncGenerator<Check, void, undefined> {
  const url = new URL(address);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  if (isIP(host) === 0) {
    const name = await checkName(host);
    yield name;
    if (name.state === "bad") return;
  }
  const reached = await checkPort(host, port);
  yield reached;
  if (reached.state === "good" && url.protocol === "https:") yield await checkCertificate(host, port);
}

async function checkName(host: string): Promise<Check> {
  try {
    const addresses = await lookup(host, { all: true });
    return {
      name: "name",
      state: "good",
      detail: `${host} resolves to ${addresses.map(({ address }) => address).join(", ")}`,
    };
  } catch (error) {
    const fix = "Check the host name, and that this machine can resolve names (DNS, VPN).";
    return { name: "name", state: "bad", detail: `${host} does not resolve: ${reasonOf(error)}`, fix };
  }
}

async function checkPort(host: string, port: number): Promise<Check> {
  const began = performance.now();
  try {
    const socket = await connected(connectTcp({ host, port }), "connect");
    socket.destroy();
    return {
      name: "connection",
      state: "good",
      detail: `port ${port} answered in ${Math.round(performance.now() - began)} ms`,
    };
  } catch (error) {
    const fix = "Check that the service is running, that the port is right, and that no firewall blocks it.";
    return {
      name: "connection",
      state: "bad",
      detail: `cannot reach port ${port} of ${host}: ${reasonOf(error)}`,
      fix,
    };
  }
}

async function checkCertificate(host: string, port: number): Promise<Check> {
  const name = "certificate";
  try {
    // Accept any certificate first, to report what is wrong with it.
    const servername = isIP(host) === 0 ? host : "";
    const socket = await connected(connectTls({ host, port, servername, rejectUnauthorized: false }), "secureConnect");
    const { authorizationError } = socket;
    const certificate = socket.getPeerCertificate();
    socket.destroy();
    if (authorizationError) return untrusted(name, host, String(authorizationError));
    return trusted(name, certificate);
  } catch (error) {
    const fix = "If the service has no certificate, use http:// in the URL.";
    return { name, state: "bad", detail: `TLS handshake failed: ${reasonOf(error)}`, fix };
  }
}

const certificateFaults: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "it has expired",
  CERT_NOT_YET_VALID: "it is not valid yet; check this machine's clock",
  DEPTH_ZERO_SELF_SIGNED_CERT: "it is self-signed",
  ERR_TLS_CERT_ALTNAME_INVALID: "it is for another host name",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate authority is unknown to this machine",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate authority is unknown to this machine",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the service does not send the intermediate certificates",
};

const untrusted = (name: string, host: string, fault: string): Check => ({
  name,
  state: "bad",
  detail: `the certificate of ${host} is not trusted: ${certificateFaults[fault] ?? fault}`,
  fix: "Fix the certificate on the service. For a private certificate authority, set NODE_EXTRA_CA_CERTS to its file.",
});

function trusted(name: string, { valid_to, subject }: PeerCertificate): Check {
  const days = Math.floor((Date.parse(valid_to) - Date.now()) / dayMs);
  const detail = `${[subject?.CN].flat()[0] ?? "the certificate"} is valid for ${pluralize(days, "more day")}`;
  if (days >= 14) return { name, state: "good", detail };
  return { name, state: "warning", detail, fix: "It expires soon: renew it." };
}

async function connected<T extends Socket | TLSSocket>(socket: T, event: string): Promise<T> {
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)));
  await once(socket, event);
  return socket;
}

function reasonOf(error: unknown): string {
  // A host with several addresses fails with one error per address.
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  return first instanceof Error ? first.message : String(first);
}
