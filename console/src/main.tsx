import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./styles.css";
import "./trusted-types.ts";
import { createRoot } from "react-dom/client";
import { App, startFirstPage } from "./app.tsx";
import { changeLanguage, preferredLanguage } from "./i18n/language.ts";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
startFirstPage();
try {
  await changeLanguage(preferredLanguage());
  createRoot(root).render(<App />);
} catch (error) {
  // The texts failed to load, so this message is built in.
  root.textContent = "Hearback can’t be reached. Reload the page. – Hearback est injoignable. Rechargez la page.";
  reportError(error);
}
