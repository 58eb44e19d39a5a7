import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { eraseReason } from '../../contract/privacy/person-erasure.ts'
import { useAccount } from '../account.ts'
import { ErasureList } from '../privacy/erasure-list.tsx'
import { PrivacyForm } from '../privacy/privacy-form.tsx'
import { RetentionSection } from '../privacy/retention-section.tsx'
import { privacySettingsQuery } from '../queries/privacy.ts'
import { Loaded } from '../ui/list/list-notes.tsx'
import { PageHeader } from '../ui/page-header.tsx'

// Without a loader, whose queries would be part of the first load.
export const Route = createFileRoute('/_app/settings/privacy')({ component: PrivacyPage })

function PrivacyPage() {
  const { projectId } = Route.useRouteContext()
  const { scopes } = useAccount()
  const reason = eraseReason(scopes)
  return (
    <>
      <PageHeader title="Privacy" />
      <p className="mt-1 mb-6 max-w-160 text-ink-2">
        What this project stores of its visitors, and for how long. Options that a site passes to{' '}
        <code>posthog.init</code> take precedence over those of recordings.
      </p>
      <Loaded query={useQuery(privacySettingsQuery(projectId))}>
        {(settings) => (
          <div className="flex flex-col gap-8">
            {reason !== null && (
              <p className="text-ink-2">You can see these settings but not change them: {reason}</p>
            )}
            <div className="flex max-w-160 flex-col gap-8">
              <PrivacyForm settings={settings} reason={reason} />
            </div>
            <RetentionSection settings={settings} reason={reason} />
            <ErasureList />
          </div>
        )}
      </Loaded>
    </>
  )
}
