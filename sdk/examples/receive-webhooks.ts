// Receives webhooks and rejects those that Hearback did not sign.
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { verifyWebhook, WebhookError } from "@hearback/sdk";

// During a secret rotation, set both: WEBHOOK_SECRETS="whsec_new whsec_old".
const secret = (process.env.WEBHOOK_SECRETS ?? "").split(" ");
const seen = new Set<string>(); // use a database in production

const server = createServer(async (request, response) => {
  try {
    // Pass the raw bytes: parsing and serialising the body would change the signature.
    const event = await verifyWebhook({ secret, headers: request.headers, body: await buffer(request) });
    if (!seen.has(event.id)) console.log(event.type, event.id);
    seen.add(event.id); // an event may arrive more than once
    response.writeHead(204).end();
  } catch (error) {
    if (!(error instanceof WebhookError)) console.error(error);
    response.writeHead(error instanceof WebhookError ? 400 : 500).end();
  }
});
server.listen(Number(process.env.PORT ?? 8080), () => console.log("listening"));
