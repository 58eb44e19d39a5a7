import {
  Alert,
  Button,
  Checkbox,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  FormControlLabel,
  MenuItem,
  Slider,
  Stack,
  Switch,
  Tab,
  Tabs,
  TextField,
} from '@mui/material'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'

function Page() {
  const [isOpen, setOpen] = useState(false)
  return (
    <Stack spacing={2} sx={{ p: 3 }}>
      <Tabs value={1}>
        <Tab label="Lamps" />
        <Tab label="Shades" />
      </Tabs>
      <Alert severity="warning">Only three are left</Alert>
      <TextField label="Name" />
      <TextField select label="Metal" defaultValue="brass">
        <MenuItem value="brass">Brass</MenuItem>
      </TextField>
      <FormControlLabel control={<Checkbox defaultChecked />} label="As a gift" />
      <FormControlLabel control={<Switch defaultChecked />} label="Express" />
      <Slider defaultValue={40} aria-label="Brightness" />
      <Button variant="contained" onClick={() => setOpen(true)}>
        Order
      </Button>
      <Dialog open={isOpen}>
        <DialogTitle>Order the lamp?</DialogTitle>
        <DialogContent>It arrives in two days.</DialogContent>
        <DialogActions>
          <Button>Not now</Button>
          <Button variant="contained">Yes</Button>
        </DialogActions>
      </Dialog>
    </Stack>
  )
}

createRoot(document.querySelector('#root')).render(<Page />)
