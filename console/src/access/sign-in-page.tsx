import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { PageLoading } from "../ui/page-loading.tsx";
import { Problem } from "../ui/problem.tsx";
import { Entrance } from "./entrance.tsx";
import { Forgotten } from "./forgotten.tsx";
import { oidcAddress } from "./oidc.ts";
import { accessQueries } from "./queries.ts";
import { SetupNeeded } from "./setup-needed.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import { useFragment } from "./use-fragment.ts";
import { WorkspaceChoice, workspacesIn } from "./workspace-choice.tsx";

export function SignInPage() {
  return (
    <Entrance>
      <SignInSteps />
    </Entrance>
  );
}

function SignInSteps() {
  const { next, failed } = useSearch({ from: "/sign-in" });
  const navigate = useNavigate();
  const options = useQuery(accessQueries.options);
  const fragment = useFragment();
  const [offered, setOffered] = useState(() => workspacesIn(fragment));
  const [forgotten, setForgotten] = useState(false);
  // Asked again when somebody comes back from where the password is kept: what is typed already stays.
  if (!options.data) {
    return options.error ? <Problem error={options.error} onRetry={() => void options.refetch()} /> : <PageLoading />;
  }
  if (options.data.setup_needed) return <SetupNeeded onRetry={() => void options.refetch()} />;
  if (offered) {
    const go = (workspaceId: string) => window.location.assign(oidcAddress({ workspaceId, next }));
    return <WorkspaceChoice workspaces={offered} onChoose={go} onBack={() => setOffered(undefined)} />;
  }
  if (forgotten) return <Forgotten mail={options.data.mail} onBack={() => setForgotten(false)} />;
  return (
    <SignInForm
      oidc={options.data.oidc}
      failed={failed}
      next={next}
      onForgotten={() => setForgotten(true)}
      onSignedIn={() => void navigate({ href: next ?? "/calls", replace: true })}
    />
  );
}
