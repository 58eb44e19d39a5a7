import {
  Alert,
  Badge,
  Box,
  Button,
  ChakraProvider,
  Checkbox,
  defaultSystem,
  Dialog,
  Field,
  Input,
  NativeSelect,
  Progress,
  Stack,
  Switch,
  Tabs,
} from '@chakra-ui/react'
import { createRoot } from 'react-dom/client'

function Page() {
  return (
    <Stack p="6" gap="4">
      <Tabs.Root defaultValue="lamps">
        <Tabs.List>
          <Tabs.Trigger value="lamps">Lamps</Tabs.Trigger>
          <Tabs.Trigger value="shades">Shades</Tabs.Trigger>
        </Tabs.List>
      </Tabs.Root>
      <Alert.Root status="warning">
        <Alert.Indicator />
        <Alert.Title>Only three are left</Alert.Title>
      </Alert.Root>
      <Field.Root>
        <Field.Label>Name</Field.Label>
        <Input />
      </Field.Root>
      <NativeSelect.Root>
        <NativeSelect.Field>
          <option>Brass</option>
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
      <Checkbox.Root defaultChecked>
        <Checkbox.HiddenInput />
        <Checkbox.Control />
        <Checkbox.Label>As a gift</Checkbox.Label>
      </Checkbox.Root>
      <Switch.Root defaultChecked>
        <Switch.HiddenInput />
        <Switch.Control />
        <Switch.Label>Express</Switch.Label>
      </Switch.Root>
      <Progress.Root value={40}>
        <Progress.Track>
          <Progress.Range />
        </Progress.Track>
      </Progress.Root>
      <Box p="5" pt="1" bg="bg.muted">
        <Badge colorPalette="green">in stock</Badge>
      </Box>
      <Dialog.Root>
        <Dialog.Trigger asChild>
          <Button>Order</Button>
        </Dialog.Trigger>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title>Order the lamp?</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body>It arrives in two days.</Dialog.Body>
            <Dialog.Footer>
              <Button variant="outline">Not now</Button>
              <Button>Yes</Button>
            </Dialog.Footer>
          </Dialog.Content>
        </Dialog.Positioner>
      </Dialog.Root>
    </Stack>
  )
}

createRoot(document.querySelector('#root')).render(
  <ChakraProvider value={defaultSystem}>
    <Page />
  </ChakraProvider>,
)
