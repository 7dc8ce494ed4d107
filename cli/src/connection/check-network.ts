import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, type PeerCertificate, type TLSSocket } from "node:tls";
import type { Check } from "./check.ts";

const patienceMs = 5000;
const dayMs = 24 * 60 * 60 * 1000;

/** The way to the service, one step after the other: its name, its port, its certificate. Ends at the first that fails. */
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
    return { name: "name", state: "good", detail: `${host} is ${addresses.map(({ address }) => address).join(", ")}` };
  } catch (error) {
    const fix = "Is the address spelt right? Can this machine resolve names (DNS, VPN)?";
    return { name: "name", state: "bad", detail: `${host} cannot be found: ${reasonOf(error)}`, fix };
  }
}

async function checkPort(host: string, port: number): Promise<Check> {
  const began = performance.now();
  try {
    const socket = await opened(connectTcp({ host, port }), "connect");
    socket.destroy();
    return {
      name: "connection",
      state: "good",
      detail: `port ${port} answers in ${Math.round(performance.now() - began)} ms`,
    };
  } catch (error) {
    const fix = "Is the service running there, and does a firewall let you through? Is the port right?";
    return {
      name: "connection",
      state: "bad",
      detail: `port ${port} of ${host} cannot be reached: ${reasonOf(error)}`,
      fix,
    };
  }
}

async function checkCertificate(host: string, port: number): Promise<Check> {
  const name = "certificate";
  try {
    // Without a judgement at first, so that what is wrong with it can be told.
    const servername = isIP(host) === 0 ? host : "";
    const socket = await opened(connectTls({ host, port, servername, rejectUnauthorized: false }), "secureConnect");
    const { authorizationError } = socket;
    const certificate = socket.getPeerCertificate();
    socket.destroy();
    if (authorizationError) return untrusted(name, host, String(authorizationError));
    return trusted(name, certificate);
  } catch (error) {
    const fix = "Is this an https address? A service without a certificate is reached with http://";
    return { name, state: "bad", detail: `no encrypted connection: ${reasonOf(error)}`, fix };
  }
}

const certificateFaults: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "it has expired",
  CERT_NOT_YET_VALID: "it is not valid yet; is this machine's clock right?",
  DEPTH_ZERO_SELF_SIGNED_CERT: "it vouches for itself (self-signed)",
  ERR_TLS_CERT_ALTNAME_INVALID: "it is for another name",
  SELF_SIGNED_CERT_IN_CHAIN: "its authority is not known here",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its authority is not known here",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the service does not send the certificates between it and its authority",
};

const untrusted = (name: string, host: string, fault: string): Check => ({
  name,
  state: "bad",
  detail: `the certificate of ${host} is not trusted: ${certificateFaults[fault] ?? fault}`,
  fix: "Renew or mend it on the service; for an authority of your own set NODE_EXTRA_CA_CERTS to its file.",
});

function trusted(name: string, { valid_to, subject }: PeerCertificate): Check {
  const days = Math.floor((Date.parse(valid_to) - Date.now()) / dayMs);
  const detail = `${[subject?.CN].flat()[0] ?? "the certificate"} is valid for ${days} more days`;
  if (days >= 14) return { name, state: "good", detail };
  return { name, state: "warning", detail, fix: "It ends soon: see that it is renewed." };
}

async function opened<T extends Socket | TLSSocket>(socket: T, event: string): Promise<T> {
  socket.setTimeout(patienceMs, () => socket.destroy(new Error(`no answer within ${patienceMs / 1000} s`)));
  await once(socket, event);
  return socket;
}

function reasonOf(error: unknown): string {
  // A name with several addresses fails with one error for each.
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  return first instanceof Error ? first.message : String(first);
}
