import { useQuery } from '@tanstack/react-query'
import { allowsScope } from '../../../contract/accounts/scopes.ts'
import { useAccount } from '../../account.ts'
import { apiKeysQuery } from '../../queries/api-keys.ts'
import { overviewQuery } from '../../queries/exports/overview.ts'
import { distinctTexts } from '../list/arrange.ts'

/** Returns tags and owners to suggest: those of the project's exports, and as owners also the labels of API keys. */
export function useSuggestions(): { tags: string[]; owners: string[] } {
  const { projectId, apiKey, scopes } = useAccount()
  const { data: overview } = useQuery(overviewQuery({ projectId }))
  const { data: keys } = useQuery({ ...apiKeysQuery, enabled: allowsScope(scopes, 'personal_api_key:read') })
  const rows = overview?.results ?? []
  const labels = [apiKey, ...(keys ?? [])].map(({ label }) => label)
  return {
    tags: distinctTexts(rows.flatMap(({ tags }) => tags)),
    owners: distinctTexts([...rows.map(({ owner }) => owner), ...labels]),
  }
}
