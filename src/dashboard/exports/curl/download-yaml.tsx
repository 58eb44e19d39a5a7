import { useAccount } from '../../account.ts'
import { callForBytes } from '../../api/call.ts'
import { saveFile } from '../../ui/save-file.ts'
import { DownloadButton } from '../../ui/download-button.tsx'

type DownloadYamlProps = {
  fileName: string
  /** By default, all exports of the project. */
  ids?: readonly string[]
}

/** Saves exports as a file that `admin apply` accepts. */
export function DownloadYaml({ fileName, ids = [] }: DownloadYamlProps) {
  const { projectId } = useAccount()
  const download = async () => {
    const input = { params: { project_id: projectId }, query: { id: [...ids] } }
    const bytes = await callForBytes('batchExportsAsYaml', input)
    saveFile(fileName, new Blob([bytes], { type: 'application/yaml' }))
  }
  return (
    <DownloadButton look="quiet" failed="The file could not be downloaded." download={download}>
      Download as YAML
    </DownloadButton>
  )
}
