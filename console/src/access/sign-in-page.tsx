import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { PageLoading } from "../ui/feedback/page-loading.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { AuthLayout } from "./auth-layout.tsx";
import { ForgotPassword } from "./forgot-password.tsx";
import { oidcUrl } from "./oidc.ts";
import { accessQueries } from "./queries.ts";
import { SetupNeeded } from "./setup-needed.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import { useFragment } from "./use-fragment.ts";
import { WorkspaceChoice, workspacesIn } from "./workspace-choice.tsx";

export function SignInPage() {
  return (
    <AuthLayout>
      <SignInSteps />
    </AuthLayout>
  );
}

function SignInSteps() {
  const { next, failed } = useSearch({ from: "/sign-in" });
  const navigate = useNavigate();
  const options = useQuery(accessQueries.options);
  const fragment = useFragment();
  const [offered, setOffered] = useState(() => workspacesIn(fragment));
  const [forgotten, setForgotten] = useState(false);
  // Refetching on focus keeps the typed values: people return here from a password manager.
  if (!options.data) {
    return options.error ? <Problem error={options.error} onRetry={() => void options.refetch()} /> : <PageLoading />;
  }
  if (options.data.setup_needed) return <SetupNeeded onRetry={() => void options.refetch()} />;
  if (offered) {
    const go = (workspaceId: string) => window.location.assign(oidcUrl({ workspaceId, next }));
    return <WorkspaceChoice workspaces={offered} onChoose={go} onBack={() => setOffered(undefined)} />;
  }
  if (forgotten) return <ForgotPassword mail={options.data.mail} onBack={() => setForgotten(false)} />;
  return (
    <SignInForm
      oidc={options.data.oidc}
      passkeys={options.data.passkeys}
      failed={failed}
      next={next}
      onForgotten={() => setForgotten(true)}
      onSignedIn={() => void navigate({ href: next ?? "/", replace: true })}
    />
  );
}
