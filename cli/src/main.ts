#!/usr/bin/env node
import { createClient } from "@hearback/sdk";

const client = createClient({ baseUrl: process.env.HEARBACK_URL ?? "", apiKey: process.env.HEARBACK_API_KEY ?? "" });
process.stdout.write(`${JSON.stringify(await client.limits.find())}\n`);
